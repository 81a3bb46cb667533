import type { ValidationCase } from "./validation-case.ts";
import { c, pod, spread } from "./validation-objects.ts";

/** Where Pods run, and how they find names: what a kube-apiserver says about new ones. */
export const schedulingCases: readonly ValidationCase[] = [
  ["Pod: pullsecret", ...pod({ imagePullSecrets: [{ name: "A_" }] }), []],
  [
    "Pod: readiness gate",
    ...pod({ readinessGates: [{ conditionType: "a b" }] }),
    ["Invalid spec.readinessGates[0].conditionType"],
  ],
  ["Pod: schedulerName", ...pod({ schedulerName: "A_ b" }), []],
  ["Pod: hostname FQDN", ...pod({ setHostnameAsFQDN: true, hostname: "a" }), []],
  [
    "Pod: hostPID share",
    ...pod({ hostPID: true, shareProcessNamespace: true }),
    ["Invalid spec.securityContext.shareProcessNamespace"],
  ],
  [
    "Pod: hostAliases name",
    ...pod({ hostAliases: [{ ip: "1.2.3.4", hostnames: ["A_"] }] }),
    ["Invalid spec.hostAliases[0].hostnames[0]"],
  ],
  ["Pod: dns nameservers", ...pod({ dnsConfig: { nameservers: ["x"] } }), ["Invalid spec.dnsConfig.nameservers[0]"]],
  [
    "Pod: dns many",
    ...pod({ dnsConfig: { nameservers: ["1.1.1.1", "1.1.1.2", "1.1.1.3", "1.1.1.4"] } }),
    ["Invalid spec.dnsConfig.nameservers"],
  ],
  ["Pod: dns search", ...pod({ dnsConfig: { searches: ["A_ b"] } }), ["Invalid spec.dnsConfig.searches[0]"]],
  ["Pod: dns search of services", ...pod({ dnsConfig: { searches: ["_sip._tcp.example.com", "a_b.c", "."] } }), []],
  [
    "Pod: dns search underscore only",
    ...pod({ dnsConfig: { searches: ["_.a"] } }),
    ["Invalid spec.dnsConfig.searches[0]"],
  ],
  [
    "Pod: dns search two underscores",
    ...pod({ dnsConfig: { searches: ["__a"] } }),
    ["Invalid spec.dnsConfig.searches[0]"],
  ],
  [
    "Pod: dns search underscore last",
    ...pod({ dnsConfig: { searches: ["a_.b"] } }),
    ["Invalid spec.dnsConfig.searches[0]"],
  ],
  [
    "Pod: dns searches many",
    ...pod({ dnsConfig: { searches: Array.from({ length: 33 }, (_, i) => `a${i}.b`) } }),
    ["Invalid spec.dnsConfig.searches"],
  ],
  ["Pod: dns option", ...pod({ dnsConfig: { options: [{ value: "a" }] } }), ["Required spec.dnsConfig.options[0]"]],
  ["Pod: dns none empty", ...pod({ dnsPolicy: "None", dnsConfig: {} }), ["Required spec.dnsConfig.nameservers"]],
  ["Pod: deadline big", ...pod({ activeDeadlineSeconds: 3e9 }), ["Invalid spec.activeDeadlineSeconds"]],
  ["Pod: os empty", ...pod({ os: { name: "" } }), ["Required spec.os.name"]],
  ["Pod: hostname long", ...pod({ hostname: "a".repeat(64) }), ["Invalid spec.hostname"]],
  ["Pod: hostnameOverride", ...pod({ hostnameOverride: "A_" }), ["Invalid spec.hostnameOverride"]],
  [
    "Pod: gates dup",
    ...pod({ schedulingGates: [{ name: "a" }, { name: "a" }] }),
    ["Duplicate spec.schedulingGates[1]"],
  ],
  ["Pod: gates nodeName", ...pod({ schedulingGates: [{ name: "a" }], nodeName: "n" }), ["Forbidden spec.nodeName"]],
  ["Pod: grace 0", ...pod({ terminationGracePeriodSeconds: 0 }), []],
  ["Pod: host port hostnet", ...pod({ hostNetwork: true }, { ports: [{ containerPort: 80 }] }), []],
  [
    "Pod: hostport init and main",
    ...pod(
      { initContainers: [c({ name: "i", ports: [{ containerPort: 80, hostPort: 80 }] })] },
      { ports: [{ containerPort: 80, hostPort: 80 }] },
    ),
    [],
  ],
  [
    "Pod: hostnet init mismatch",
    ...pod({ hostNetwork: true, initContainers: [c({ name: "i", ports: [{ containerPort: 80, hostPort: 81 }] })] }),
    [],
  ],
  [
    "toleration: value bad",
    ...pod({ tolerations: [{ key: "a", operator: "Equal", value: "a b" }] }),
    ["Invalid spec.tolerations[0].operator"],
  ],
  [
    "toleration: Lt",
    ...pod({ tolerations: [{ key: "a", operator: "Lt", value: "5" }] }),
    ["NotSupported spec.tolerations[0].operator"],
  ],
  ["toleration: key empty none", ...pod({ tolerations: [{}] }), ["Invalid spec.tolerations[0].operator"]],
  [
    "toleration: seconds no effect",
    ...pod({ tolerations: [{ key: "a", operator: "Exists", tolerationSeconds: 4 }] }),
    ["Invalid spec.tolerations[0].effect"],
  ],
  ["spread: key bad", ...spread({ topologyKey: "a b" }), []],
  ["spread: minDomains 0", ...spread({ minDomains: 0 }), ["Invalid spec.topologySpreadConstraints[0].minDomains"]],
  [
    "spread: minDomains anyway",
    ...spread({ minDomains: 1, whenUnsatisfiable: "ScheduleAnyway" }),
    ["Invalid spec.topologySpreadConstraints[0].minDomains"],
  ],
  [
    "spread: policy",
    ...spread({ nodeAffinityPolicy: "Foo", nodeTaintsPolicy: "Foo" }),
    [
      "NotSupported spec.topologySpreadConstraints[0].nodeAffinityPolicy",
      "NotSupported spec.topologySpreadConstraints[0].nodeTaintsPolicy",
    ],
  ],
  [
    "spread: matchLabelKeys",
    ...spread({ matchLabelKeys: ["a b"], labelSelector: {} }),
    ["Invalid spec.topologySpreadConstraints[0].matchLabelKeys[0]"],
  ],
  [
    "spread: matchLabelKeys none",
    ...spread({ matchLabelKeys: ["a"] }),
    ["Forbidden spec.topologySpreadConstraints[0].matchLabelKeys"],
  ],
  [
    "spread: dup",
    ...pod({
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: "z", whenUnsatisfiable: "DoNotSchedule" },
        { maxSkew: 2, topologyKey: "z", whenUnsatisfiable: "DoNotSchedule" },
      ],
    }),
    ["Duplicate spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}"],
  ],
];
