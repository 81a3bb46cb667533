import type { ValidationCase } from "./validation-case.ts";
import { podSpec, labels, tmpl, dep, ds, ss, rc } from "./validation-objects.ts";

/** Workloads: templates, amounts and further fields: what a kube-apiserver says about new ones. */
export const templatesCases: readonly ValidationCase[] = [
  [
    "Deployment: tmpl name bad",
    ...dep({ template: { ...tmpl(), metadata: { labels, annotations: { "a b": "c" } } } }),
    ["Invalid spec.template.annotations"],
  ],
  [
    "Deployment: surge float pct",
    ...dep({ strategy: { rollingUpdate: { maxSurge: "2.5%" } } }),
    ["Invalid spec.strategy.rollingUpdate.maxSurge"],
  ],
  [
    "Deployment: unavail pct neg",
    ...dep({ strategy: { rollingUpdate: { maxUnavailable: "-1%" } } }),
    ["Invalid spec.strategy.rollingUpdate.maxUnavailable"],
  ],
  [
    "Deployment: strategy null type rolling",
    ...dep({ strategy: { type: "", rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }),
    ["Invalid spec.strategy.rollingUpdate.maxUnavailable"],
  ],
  [
    "Deployment: surge 0%",
    ...dep({ strategy: { rollingUpdate: { maxSurge: "0%", maxUnavailable: "0%" } } }),
    ["Invalid spec.strategy.rollingUpdate.maxUnavailable"],
  ],
  [
    "Deployment: selector mism no label",
    ...dep({ template: { spec: podSpec() } }),
    ["Invalid spec.template.metadata.labels"],
  ],
  [
    "Deployment: no spec in template",
    ...dep({ template: { metadata: { labels } } }),
    ["Required spec.template.spec.containers"],
  ],
  ["Deployment: progress 0", ...dep({ progressDeadlineSeconds: 0 }), ["Invalid spec.progressDeadlineSeconds"]],
  [
    "Deployment: hostnetwork port",
    ...dep({ template: tmpl({ hostNetwork: true }, labels, { ports: [{ containerPort: 80 }] }) }),
    [],
  ],
  [
    "Deployment: hostnetwork mism",
    ...dep({ template: tmpl({ hostNetwork: true }, labels, { ports: [{ containerPort: 80, hostPort: 81 }] }) }),
    ["Invalid spec.template.spec.containers[0].ports[0].hostPort"],
  ],
  [
    "Deployment: ephemeral",
    ...dep({ template: tmpl({ ephemeralContainers: [{ name: "e", image: "i" }] }) }),
    ["Forbidden spec.template.spec.ephemeralContainers"],
  ],
  [
    "Deployment: selector value long",
    ...dep({ selector: { matchExpressions: [{ key: "app", operator: "In", values: ["x", "y z"] }] } }),
    ["Invalid spec.selector", "Invalid spec.selector.matchExpressions[0].values[1]"],
  ],
  [
    "DaemonSet: surge zero",
    ...ds({ updateStrategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: "0%" } } }),
    ["Required spec.updateStrategy.rollingUpdate.maxUnavailable"],
  ],
  [
    "DaemonSet: unavail over",
    ...ds({ updateStrategy: { rollingUpdate: { maxUnavailable: "101%" } } }),
    ["Invalid spec.updateStrategy.rollingUpdate.maxUnavailable"],
  ],
  [
    "DaemonSet: surge over",
    ...ds({ updateStrategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: "101%" } } }),
    ["Invalid spec.updateStrategy.rollingUpdate.maxSurge"],
  ],
  [
    "DaemonSet: ondelete rolling",
    ...ds({ updateStrategy: { type: "OnDelete", rollingUpdate: { maxUnavailable: 1 } } }),
    [],
  ],
  [
    "DaemonSet: minReady",
    ...ds({ minReadySeconds: -1, revisionHistoryLimit: -1 }),
    ["Invalid spec.minReadySeconds", "Invalid spec.revisionHistoryLimit"],
  ],
  ["StatefulSet: unavail", ...ss({ updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } }), []],
  [
    "StatefulSet: claim bad",
    ...ss({ volumeClaimTemplates: [{ metadata: { name: "x" }, spec: {} }] }),
    [
      "Required spec.volumeClaimTemplates[0].spec.accessModes",
      "Required spec.volumeClaimTemplates[0].spec.resources[storage]",
    ],
  ],
  ["StatefulSet: service bad", ...ss({ serviceName: "A_" }), ["Invalid spec.serviceName"]],
  ["StatefulSet: policy empty", ...ss({ podManagementPolicy: "" }), []],
  ["StatefulSet: strategy empty", ...ss({ updateStrategy: { type: "" } }), []],
  ["StatefulSet: replicas", ...ss({ replicas: -1 }), ["Invalid spec.replicas"]],
  [
    "ReplicationController: deadline",
    ...rc({ template: tmpl({ activeDeadlineSeconds: 4 }) }),
    ["Forbidden spec.template.spec.activeDeadlineSeconds"],
  ],
  [
    "ReplicationController: hostport two",
    ...rc({ replicas: 2, template: tmpl({}, labels, { ports: [{ containerPort: 80, hostPort: 80 }] }) }),
    [],
  ],
  ["ReplicationController: sel bad", ...rc({ selector: { "a b": "c" } }), ["Invalid spec.template.metadata.labels"]],
  [
    "PodDisruptionBudget: neg",
    "/apis/policy/v1",
    "poddisruptionbudgets",
    { spec: { minAvailable: -1 } },
    ["Invalid spec.minAvailable"],
  ],
  [
    "PodDisruptionBudget: pct",
    "/apis/policy/v1",
    "poddisruptionbudgets",
    { spec: { maxUnavailable: "101%" } },
    ["Invalid spec.maxUnavailable"],
  ],
  [
    "PodDisruptionBudget: bad",
    "/apis/policy/v1",
    "poddisruptionbudgets",
    { spec: { maxUnavailable: "abc" } },
    ["Invalid spec.maxUnavailable"],
  ],
  [
    "PodDisruptionBudget: evict",
    "/apis/policy/v1",
    "poddisruptionbudgets",
    { spec: { unhealthyPodEvictionPolicy: "Foo" } },
    ["NotSupported spec.unhealthyPodEvictionPolicy"],
  ],
  ["PriorityClass: neg", "/apis/scheduling.k8s.io/v1", "priorityclasses", { value: -2147483648 }, []],
];
