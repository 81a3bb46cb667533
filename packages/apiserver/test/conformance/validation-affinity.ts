import type { ValidationCase } from "./validation-case.ts";
import { nodeTerm, podTerm } from "./validation-objects.ts";

/** Affinity: what a kube-apiserver says about new ones. */
export const affinityCases: readonly ValidationCase[] = [
  ["node affinity: gt", ...nodeTerm({ matchExpressions: [{ key: "a", operator: "Gt", values: ["x"] }] }), []],
  [
    "node affinity: gt two",
    ...nodeTerm({ matchExpressions: [{ key: "a", operator: "Gt", values: ["1", "2"] }] }),
    [
      "Required spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values",
    ],
  ],
  [
    "node affinity: exists values",
    ...nodeTerm({ matchExpressions: [{ key: "a", operator: "Exists", values: ["x"] }] }),
    [
      "Forbidden spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values",
    ],
  ],
  [
    "node affinity: in none",
    ...nodeTerm({ matchExpressions: [{ key: "a", operator: "In" }] }),
    [
      "Required spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values",
    ],
  ],
  [
    "node affinity: key bad",
    ...nodeTerm({ matchExpressions: [{ key: "a b", operator: "Exists" }] }),
    [
      "Invalid spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].key",
    ],
  ],
  [
    "node affinity: value bad",
    ...nodeTerm({ matchExpressions: [{ key: "a", operator: "In", values: ["a b"] }] }),
    [
      "Invalid spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values[0]",
    ],
  ],
  [
    "node affinity: fields",
    ...nodeTerm({ matchFields: [{ key: "foo", operator: "In", values: ["a"] }] }),
    [
      "Invalid spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].key",
    ],
  ],
  [
    "node affinity: fields op",
    ...nodeTerm({ matchFields: [{ key: "metadata.name", operator: "Exists", values: [] }] }),
    [
      "Invalid spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].operator",
    ],
  ],
  [
    "node affinity: fields two",
    ...nodeTerm({ matchFields: [{ key: "metadata.name", operator: "In", values: ["a", "b"] }] }),
    [
      "Required spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].values",
    ],
  ],
  [
    "node affinity: fields ok",
    ...nodeTerm({ matchFields: [{ key: "metadata.name", operator: "In", values: ["a"] }] }),
    [],
  ],
  [
    "Pod affinity: selector",
    ...podTerm({ labelSelector: { matchLabels: { "a b": "c" } } }),
    ["Invalid spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector.matchLabels"],
  ],
  [
    "Pod affinity: ns",
    ...podTerm({ namespaces: ["A_"] }),
    ["Invalid spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].namespace"],
  ],
  [
    "Pod affinity: ns selector",
    ...podTerm({ namespaceSelector: { matchLabels: { "a b": "c" } } }),
    [
      "Invalid spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].namespaceSelector.matchLabels",
    ],
  ],
  [
    "Pod affinity: topology bad",
    ...podTerm({ topologyKey: "a b" }),
    ["Invalid spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey"],
  ],
  [
    "Pod affinity: matchLabelKeys",
    ...podTerm({ matchLabelKeys: ["a b"], labelSelector: {} }),
    ["Invalid spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].matchLabelKeys[0]"],
  ],
  [
    "Pod affinity: matchLabelKeys none",
    ...podTerm({ matchLabelKeys: ["a"] }),
    ["Forbidden spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].matchLabelKeys"],
  ],
];
