import type { ValidationCase } from "./validation-case.ts";
import { c, pod } from "./validation-objects.ts";

/** Pods: what a kube-apiserver says about new ones. */
export const podsCases: readonly ValidationCase[] = [
  ["Pod: ok", ...pod(), []],
  ["Pod: no containers", ...pod({ containers: [] }), ["Required spec.containers"]],
  ["Pod: no spec", "/api/v1", "pods", {}, ["Required spec.containers"]],
  ["Pod: container name missing", ...pod({ containers: [{ image: "i" }] }), ["Required spec.containers[0].name"]],
  ["Pod: container image missing", ...pod({ containers: [{ name: "c" }] }), ["Required spec.containers[0].image"]],
  ["Pod: container name twice", ...pod({ containers: [c(), c()] }), ["Duplicate spec.containers[1].name"]],
  ["Pod: init name twice", ...pod({ initContainers: [c()] }), ["Duplicate spec.initContainers[0].name"]],
  [
    "Pod: hostNetwork port mismatch",
    ...pod({ hostNetwork: true }, { ports: [{ containerPort: 80, hostPort: 81 }] }),
    ["Invalid spec.containers[0].ports[0].hostPort"],
  ],
  ["Pod: restartPolicy", ...pod({ restartPolicy: "Sometimes" }), ["NotSupported spec.restartPolicy"]],
  ["Pod: dnsPolicy", ...pod({ dnsPolicy: "x" }), ["NotSupported spec.dnsPolicy"]],
  ["Pod: dnsPolicy None without config", ...pod({ dnsPolicy: "None" }), ["Required spec.dnsConfig"]],
  [
    "Pod: mount no path",
    ...pod({ volumes: [{ name: "v" }] }, { volumeMounts: [{ name: "v" }] }),
    ["Required spec.containers[0].volumeMounts[0].mountPath"],
  ],
  [
    "Pod: mount path twice",
    ...pod(
      { volumes: [{ name: "v" }] },
      {
        volumeMounts: [
          { name: "v", mountPath: "/a" },
          { name: "v", mountPath: "/a" },
        ],
      },
    ),
    ["Invalid spec.containers[0].volumeMounts[1].mountPath"],
  ],
  [
    "Pod: mount subPath up",
    ...pod({ volumes: [{ name: "v" }] }, { volumeMounts: [{ name: "v", mountPath: "/a", subPath: "../x" }] }),
    ["Invalid spec.containers[0].volumeMounts.subPath"],
  ],
  [
    "Pod: mount subPath abs",
    ...pod({ volumes: [{ name: "v" }] }, { volumeMounts: [{ name: "v", mountPath: "/a", subPath: "/x" }] }),
    ["Invalid spec.containers[0].volumeMounts.subPath"],
  ],
  ["Pod: volume name bad", ...pod({ volumes: [{ name: "V_" }] }), ["Invalid spec.volumes[0].name"]],
  ["Pod: volume no name", ...pod({ volumes: [{ emptyDir: {} }] }), ["Required spec.volumes[0].name"]],
  ["Pod: volume twice", ...pod({ volumes: [{ name: "v" }, { name: "v" }] }), ["Duplicate spec.volumes[1].name"]],
  [
    "Pod: volume two sources",
    ...pod({ volumes: [{ name: "v", emptyDir: {}, hostPath: { path: "/" } }] }),
    ["Forbidden spec.volumes[0].hostPath"],
  ],
  [
    "Pod: volume hostPath no path",
    ...pod({ volumes: [{ name: "v", hostPath: { path: "" } }] }),
    ["Required spec.volumes[0].hostPath.path"],
  ],
  [
    "Pod: volume hostPath type",
    ...pod({ volumes: [{ name: "v", hostPath: { path: "/x", type: "Foo" } }] }),
    ["NotSupported spec.volumes[0].hostPath.type"],
  ],
  [
    "Pod: volume hostPath up",
    ...pod({ volumes: [{ name: "v", hostPath: { path: "/x/.." } }] }),
    ["Invalid spec.volumes[0].hostPath.path"],
  ],
  [
    "Pod: volume secret no name",
    ...pod({ volumes: [{ name: "v", secret: {} }] }),
    ["Required spec.volumes[0].secret.secretName"],
  ],
  [
    "Pod: volume cm no name",
    ...pod({ volumes: [{ name: "v", configMap: {} }] }),
    ["Required spec.volumes[0].configMap.name"],
  ],
  [
    "Pod: volume secret mode",
    ...pod({ volumes: [{ name: "v", secret: { secretName: "s", defaultMode: 512 } }] }),
    ["Invalid spec.volumes[0].secret.defaultMode"],
  ],
  [
    "Pod: volume secret item path",
    ...pod({ volumes: [{ name: "v", secret: { secretName: "s", items: [{ key: "k", path: "/a" }] } }] }),
    ["Invalid spec.volumes[0].secret.items[0].path"],
  ],
  [
    "Pod: volume secret item up",
    ...pod({ volumes: [{ name: "v", secret: { secretName: "s", items: [{ key: "k", path: "../a" }] } }] }),
    ["Invalid spec.volumes[0].secret.items[0].path"],
  ],
  [
    "Pod: volume secret item empty",
    ...pod({ volumes: [{ name: "v", secret: { secretName: "s", items: [{ key: "", path: "" }] } }] }),
    ["Required spec.volumes[0].secret.items[0].key", "Required spec.volumes[0].secret.items[0].path"],
  ],
  [
    "Pod: volume pvc no name",
    ...pod({ volumes: [{ name: "v", persistentVolumeClaim: {} }] }),
    ["Required spec.volumes[0].persistentVolumeClaim.claimName"],
  ],
  [
    "Pod: volume emptyDir negative",
    ...pod({ volumes: [{ name: "v", emptyDir: { sizeLimit: "-1" } }] }),
    ["Forbidden spec.volumes[0].emptyDir.sizeLimit"],
  ],
  [
    "Pod: init probe",
    ...pod({ initContainers: [c({ name: "i", livenessProbe: { tcpSocket: { port: 1 } } })] }),
    ["Forbidden spec.initContainers[0].livenessProbe"],
  ],
  [
    "Pod: init lifecycle",
    ...pod({ initContainers: [c({ name: "i", lifecycle: { preStop: { exec: { command: ["a"] } } } })] }),
    ["Forbidden spec.initContainers[0].lifecycle"],
  ],
  ["Pod: init restart", ...pod({ initContainers: [c({ name: "i", restartPolicy: "Never" })] }), []],
  ["Pod: grace negative", ...pod({ terminationGracePeriodSeconds: -1 }), []],
  ["Pod: deadline 0", ...pod({ activeDeadlineSeconds: 0 }), ["Invalid spec.activeDeadlineSeconds"]],
  ["Pod: nodeSelector bad", ...pod({ nodeSelector: { "a b": "c" } }), ["Invalid spec.nodeSelector"]],
  ["Pod: nodeSelector bad value", ...pod({ nodeSelector: { a: "c d" } }), ["Invalid spec.nodeSelector"]],
  ["Pod: nodeName bad", ...pod({ nodeName: "A_B" }), ["Invalid spec.nodeName"]],
  ["Pod: hostname bad", ...pod({ hostname: "a.b" }), ["Invalid spec.hostname"]],
  ["Pod: subdomain bad", ...pod({ subdomain: "A_" }), ["Invalid spec.subdomain"]],
  ["Pod: pullSecret empty", ...pod({ imagePullSecrets: [{}] }), []],
  [
    "Pod: toleration operator",
    ...pod({ tolerations: [{ key: "a", operator: "Foo" }] }),
    ["NotSupported spec.tolerations[0].operator"],
  ],
  [
    "Pod: toleration exists value",
    ...pod({ tolerations: [{ key: "a", operator: "Exists", value: "b" }] }),
    ["Invalid spec.tolerations[0].operator"],
  ],
  [
    "Pod: toleration empty key equal",
    ...pod({ tolerations: [{ operator: "Equal", value: "b" }] }),
    ["Invalid spec.tolerations[0].operator"],
  ],
  [
    "Pod: toleration effect",
    ...pod({ tolerations: [{ key: "a", operator: "Exists", effect: "Foo" }] }),
    ["NotSupported spec.tolerations[0].effect"],
  ],
  [
    "Pod: toleration seconds",
    ...pod({ tolerations: [{ key: "a", operator: "Exists", effect: "NoSchedule", tolerationSeconds: 3 }] }),
    ["Invalid spec.tolerations[0].effect"],
  ],
  [
    "Pod: toleration key bad",
    ...pod({ tolerations: [{ key: "a b", operator: "Exists" }] }),
    ["Invalid spec.tolerations[0].key"],
  ],
  ["Pod: hostAlias ip", ...pod({ hostAliases: [{ ip: "x", hostnames: ["a"] }] }), ["Invalid spec.hostAliases[0].ip"]],
  [
    "Pod: spread skew",
    ...pod({ topologySpreadConstraints: [{ maxSkew: 0, topologyKey: "", whenUnsatisfiable: "Foo" }] }),
    [
      "Invalid spec.topologySpreadConstraints[0].maxSkew",
      "NotSupported spec.topologySpreadConstraints[0].whenUnsatisfiable",
      "Required spec.topologySpreadConstraints[0].topologyKey",
    ],
  ],
  [
    "Pod: affinity weight",
    ...pod({
      affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 0, preference: {} }] } },
    }),
    ["Invalid spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight"],
  ],
  [
    "Pod: node affinity empty",
    ...pod({
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
    }),
    ["Required spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"],
  ],
  [
    "Pod: node affinity operator",
    ...pod({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "Foo" }] }],
          },
        },
      },
    }),
    [
      "Invalid spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator",
    ],
  ],
  [
    "Pod: pod affinity topology",
    ...pod({
      affinity: {
        podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: {}, topologyKey: "" }] },
      },
    }),
    [
      "Invalid spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey",
      "Required spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey",
    ],
  ],
  [
    "Pod: runAsNonRoot negative user",
    ...pod({ securityContext: { runAsUser: -1, fsGroup: -1 } }),
    ["Invalid spec.securityContext.fsGroup", "Invalid spec.securityContext.runAsUser"],
  ],
  [
    "Pod: sysctl bad",
    ...pod({ securityContext: { sysctls: [{ name: "A b", value: "1" }] } }),
    ["Invalid spec.securityContext.sysctls[0].name"],
  ],
  [
    "Pod: seccomp localhost",
    ...pod({ securityContext: { seccompProfile: { type: "Localhost" } } }),
    ["Required spec.securityContext.seccompProfile.localhostProfile"],
  ],
  [
    "Pod: seccomp type",
    ...pod({ securityContext: { seccompProfile: { type: "Foo" } } }),
    ["NotSupported spec.securityContext.seccompProfile.type"],
  ],
  [
    "Pod: ephemeral at create",
    ...pod({ ephemeralContainers: [{ name: "e", image: "i" }] }),
    ["Forbidden spec.ephemeralContainers"],
  ],
  ["Pod: gate bad", ...pod({ schedulingGates: [{ name: "a b" }] }), ["Invalid spec.schedulingGates[0]"]],
  ["Pod: os", ...pod({ os: { name: "mac" } }), ["NotSupported spec.os"]],
  ["Pod: preemption", ...pod({ preemptionPolicy: "Foo" }), 403],
];
