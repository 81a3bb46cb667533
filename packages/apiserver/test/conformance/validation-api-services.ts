import type { ValidationCase } from "./validation-case.ts";

const usual = { group: "g.test", version: "v1", groupPriorityMinimum: 100, versionPriority: 100 };
const service = { namespace: "n", name: "s" };

const registered = (spec: object, name = "v1.g.test") =>
  ["/apis/apiregistration.k8s.io/v1", "apiservices", { metadata: { name }, spec: { ...usual, ...spec } }] as const;

/** APIServices: what a kube-apiserver says about new ones. */
export const apiServicesCases: readonly ValidationCase[] = [
  ["APIService: local", ...registered({}), []],
  ["APIService: of others", ...registered({ service }), []],
  ["APIService: name", ...registered({ service }, "v2.g.test"), ["Invalid metadata.name"]],
  [
    "APIService: no priorities",
    ...registered({ service, groupPriorityMinimum: undefined, versionPriority: undefined }),
    ["Invalid spec.groupPriorityMinimum", "Invalid spec.versionPriority"],
  ],
  [
    "APIService: high priorities",
    ...registered({ service, groupPriorityMinimum: 20_001, versionPriority: 1_001 }),
    ["Invalid spec.groupPriorityMinimum", "Invalid spec.versionPriority"],
  ],
  [
    "APIService: trust and none",
    ...registered({ service, caBundle: "YQ==", insecureSkipTLSVerify: true }),
    ["Invalid spec.insecureSkipTLSVerify"],
  ],
  [
    "APIService: trust in itself",
    ...registered({ caBundle: "YQ==", insecureSkipTLSVerify: true }),
    ["Invalid spec.caBundle", "Invalid spec.insecureSkipTLSVerify"],
  ],
  [
    "APIService: no Service",
    ...registered({ service: {} }),
    ["Required spec.service.namespace", "Required spec.service.name"],
  ],
  ["APIService: port", ...registered({ service: { ...service, port: 70_000 } }), ["Invalid spec.service.port"]],
  ["APIService: version", ...registered({ version: "x_y", service }, "x_y.g.test"), ["Invalid spec.version"]],
  ["APIService: group", ...registered({ group: "g_a", service }, "v1.g_a"), ["Invalid spec.group"]],
  ["APIService: no group", ...registered({ group: "", version: "v3", service }, "v3."), ["Required spec.group"]],
];
