import type { ValidationCase } from "./validation-case.ts";
import { amount, labels, sel, tmpl, dep, rs, ds, ss, rc } from "./validation-objects.ts";

const claimTemplate = (name: string) => ({
  metadata: { name },
  spec: { accessModes: ["ReadWriteOnce"], ...amount("1Gi") },
});

/** Workloads: what a kube-apiserver says about new ones. */
export const workloadsCases: readonly ValidationCase[] = [
  ["Deployment: ok", ...dep({}), []],
  [
    "Deployment: no selector",
    ...dep({ selector: undefined }),
    ["Invalid spec.template.metadata.labels", "Required spec.selector"],
  ],
  ["Deployment: empty selector", ...dep({ selector: {} }), ["Invalid spec.selector"]],
  [
    "Deployment: bad selector operator",
    ...dep({ selector: { matchExpressions: [{ key: "app", operator: "Foo" }] } }),
    ["Invalid spec.selector", "Invalid spec.selector.matchExpressions[0].operator"],
  ],
  [
    "Deployment: selector In without values",
    ...dep({ selector: { matchLabels: labels, matchExpressions: [{ key: "app", operator: "In" }] } }),
    ["Invalid spec.selector", "Required spec.selector.matchExpressions[0].values"],
  ],
  [
    "Deployment: selector Exists with values",
    ...dep({ selector: { matchExpressions: [{ key: "app", operator: "Exists", values: ["x"] }] } }),
    ["Forbidden spec.selector.matchExpressions[0].values", "Invalid spec.selector"],
  ],
  [
    "Deployment: selector bad label",
    ...dep({ selector: { matchLabels: { app: "x y" } } }),
    ["Invalid spec.selector", "Invalid spec.selector.matchLabels"],
  ],
  ["Deployment: mismatch", ...dep({ template: tmpl({}, { app: "y" }) }), ["Invalid spec.template.metadata.labels"]],
  [
    "Deployment: template label bad",
    ...dep({ template: tmpl({}, { app: "x", "a b": "c" }) }),
    ["Invalid spec.template.labels"],
  ],
  [
    "Deployment: replicas negative",
    ...dep({ replicas: -1, minReadySeconds: -1, revisionHistoryLimit: -1 }),
    ["Invalid spec.minReadySeconds", "Invalid spec.replicas", "Invalid spec.revisionHistoryLimit"],
  ],
  [
    "Deployment: progress",
    ...dep({ minReadySeconds: 600, progressDeadlineSeconds: 600 }),
    ["Invalid spec.progressDeadlineSeconds"],
  ],
  ["Deployment: progress negative", ...dep({ progressDeadlineSeconds: -1 }), ["Invalid spec.progressDeadlineSeconds"]],
  [
    "Deployment: restartPolicy",
    ...dep({ template: tmpl({ restartPolicy: "Never" }) }),
    ["NotSupported spec.template.spec.restartPolicy"],
  ],
  [
    "Deployment: deadline",
    ...dep({ template: tmpl({ activeDeadlineSeconds: 3 }) }),
    ["Forbidden spec.template.spec.activeDeadlineSeconds"],
  ],
  ["Deployment: strategy type", ...dep({ strategy: { type: "Foo" } }), ["NotSupported spec.strategy"]],
  [
    "Deployment: recreate with rolling",
    ...dep({ strategy: { type: "Recreate", rollingUpdate: { maxSurge: 1 } } }),
    ["Forbidden spec.strategy.rollingUpdate"],
  ],
  [
    "Deployment: surge and unavailable 0",
    ...dep({ strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }),
    ["Invalid spec.strategy.rollingUpdate.maxUnavailable"],
  ],
  [
    "Deployment: surge bad",
    ...dep({ strategy: { rollingUpdate: { maxSurge: "abc" } } }),
    ["Invalid spec.strategy.rollingUpdate.maxSurge"],
  ],
  [
    "Deployment: surge negative",
    ...dep({ strategy: { rollingUpdate: { maxSurge: -1 } } }),
    ["Invalid spec.strategy.rollingUpdate.maxSurge"],
  ],
  [
    "Deployment: unavailable over",
    ...dep({ strategy: { rollingUpdate: { maxUnavailable: "101%" } } }),
    ["Invalid spec.strategy.rollingUpdate.maxUnavailable"],
  ],
  [
    "Deployment: image missing",
    ...dep({ template: { metadata: { labels }, spec: { containers: [{ name: "c" }] } } }),
    ["Required spec.template.spec.containers[0].image"],
  ],
  ["ReplicaSet: empty selector", ...rs({ selector: {}, template: tmpl() }), ["Invalid spec.selector"]],
  [
    "ReplicaSet: mismatch",
    ...rs({ selector: sel, template: tmpl({}, { app: "y" }) }),
    ["Invalid spec.template.metadata.labels"],
  ],
  ["ReplicaSet: replicas", ...rs({ selector: sel, replicas: -1, template: tmpl() }), ["Invalid spec.replicas"]],
  [
    "ReplicaSet: restartPolicy",
    ...rs({ selector: sel, template: tmpl({ restartPolicy: "OnFailure" }) }),
    ["NotSupported spec.template.spec.restartPolicy"],
  ],
  ["DaemonSet: empty selector", ...ds({ selector: {}, template: tmpl() }), ["Invalid spec.selector"]],
  [
    "DaemonSet: mismatch",
    ...ds({ selector: sel, template: tmpl({}, { app: "y" }) }),
    ["Invalid spec.template.metadata.labels"],
  ],
  [
    "DaemonSet: restartPolicy",
    ...ds({ selector: sel, template: tmpl({ restartPolicy: "Never" }) }),
    ["NotSupported spec.template.spec.restartPolicy"],
  ],
  ["DaemonSet: strategy", ...ds({ updateStrategy: { type: "Foo" } }), ["NotSupported spec.updateStrategy"]],
  [
    "DaemonSet: rolling zero",
    ...ds({ updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } }),
    ["Required spec.updateStrategy.rollingUpdate.maxUnavailable"],
  ],
  [
    "DaemonSet: rolling both",
    ...ds({ updateStrategy: { rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } } }),
    ["Invalid spec.updateStrategy.rollingUpdate.maxSurge"],
  ],
  ["StatefulSet: ok", ...ss(), []],
  ["StatefulSet: empty selector", ...ss({ selector: {}, template: tmpl() }), ["Invalid spec.selector"]],
  [
    "StatefulSet: mismatch",
    ...ss({ selector: sel, template: tmpl({}, { app: "y" }) }),
    ["Invalid spec.template.metadata.labels"],
  ],
  ["StatefulSet: management", ...ss({ podManagementPolicy: "Foo" }), ["Invalid spec.podManagementPolicy"]],
  ["StatefulSet: strategy", ...ss({ updateStrategy: { type: "Foo" } }), ["Invalid spec.updateStrategy"]],
  [
    "StatefulSet: ondelete rolling",
    ...ss({ updateStrategy: { type: "OnDelete", rollingUpdate: { partition: 1 } } }),
    ["Invalid spec.updateStrategy.rollingUpdate"],
  ],
  [
    "StatefulSet: partition",
    ...ss({ updateStrategy: { rollingUpdate: { partition: -1 } } }),
    ["Invalid spec.updateStrategy.rollingUpdate.partition"],
  ],
  [
    "StatefulSet: restartPolicy",
    ...ss({ selector: sel, template: tmpl({ restartPolicy: "Never" }) }),
    ["NotSupported spec.template.spec.restartPolicy"],
  ],
  [
    "StatefulSet: retention",
    ...ss({ persistentVolumeClaimRetentionPolicy: { whenDeleted: "Foo" } }),
    ["NotSupported spec.persistentVolumeClaimRetentionPolicy.whenDeleted"],
  ],
  ["StatefulSet: ordinals", ...ss({ ordinals: { start: -1 } }), ["Invalid spec.ordinals.start"]],
  [
    "StatefulSet: mounts its claims",
    ...ss({
      volumeClaimTemplates: [claimTemplate("data"), claimTemplate("disk")],
      template: tmpl({}, labels, {
        volumeMounts: [{ name: "data", mountPath: "/a" }],
        volumeDevices: [{ name: "disk", devicePath: "/b" }],
      }),
    }),
    [],
  ],
  [
    "StatefulSet: mounts what nobody claims",
    ...ss({
      volumeClaimTemplates: [claimTemplate("data")],
      template: tmpl({}, labels, {
        volumeMounts: [{ name: "date", mountPath: "/a" }],
        volumeDevices: [{ name: "disk", devicePath: "/b" }],
      }),
    }),
    [
      "NotFound spec.template.spec.containers[0].volumeMounts[0].name",
      "NotFound spec.template.spec.containers[0].volumeDevices[0].name",
    ],
  ],
  [
    "StatefulSet: claim hides a volume",
    ...ss({
      volumeClaimTemplates: [claimTemplate("data")],
      template: tmpl(
        {
          volumes: [
            { name: "data", configMap: {} },
            { name: "other", configMap: {} },
          ],
        },
        labels,
        {
          volumeDevices: [{ name: "data", devicePath: "/b" }],
        },
      ),
    }),
    ["Required spec.template.spec.volumes[1].configMap.name"],
  ],
  ["ReplicationController: no selector no labels", ...rc({ template: tmpl({}, {}) }), ["Required spec.selector"]],
  ["ReplicationController: defaults selector", ...rc(), []],
  ["ReplicationController: mismatch", ...rc({ selector: { app: "y" } }), ["Invalid spec.template.metadata.labels"]],
  ["ReplicationController: replicas", ...rc({ replicas: -1 }), ["Invalid spec.replicas"]],
  [
    "ReplicationController: restartPolicy",
    ...rc({ template: tmpl({ restartPolicy: "Never" }) }),
    ["NotSupported spec.template.spec.restartPolicy"],
  ],
  [
    "PriorityClass: reserved",
    "/apis/scheduling.k8s.io/v1",
    "priorityclasses",
    { metadata: { name: "system-foo" }, value: 1 },
    ["Forbidden metadata.name"],
  ],
  ["PriorityClass: high", "/apis/scheduling.k8s.io/v1", "priorityclasses", { value: 2000000000 }, ["Forbidden value"]],
  [
    "PriorityClass: policy",
    "/apis/scheduling.k8s.io/v1",
    "priorityclasses",
    { value: 1, preemptionPolicy: "Foo" },
    ["NotSupported preemptionPolicy"],
  ],
  ["PodDisruptionBudget: none", "/apis/policy/v1", "poddisruptionbudgets", { spec: { selector: {} } }, []],
  [
    "PodDisruptionBudget: both",
    "/apis/policy/v1",
    "poddisruptionbudgets",
    { spec: { minAvailable: 1, maxUnavailable: 1 } },
    ["Invalid spec"],
  ],
  [
    "PodDisruptionBudget: selector",
    "/apis/policy/v1",
    "poddisruptionbudgets",
    { spec: { minAvailable: 1, selector: { matchExpressions: [{ key: "a", operator: "Foo" }] } } },
    ["Invalid spec.selector.matchExpressions[0].operator"],
  ],
];
