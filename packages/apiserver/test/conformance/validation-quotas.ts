import type { ValidationCase } from "./validation-case.ts";
import { quota, limitRange } from "./validation-objects.ts";

/** Quotas and limits: what a kube-apiserver says about new ones. */
export const quotasCases: readonly ValidationCase[] = [
  ["ResourceQuota: unknown", ...quota({ hard: { foo: "1" } }), ["Invalid spec.hard[foo]"]],
  ["ResourceQuota: fraction pods", ...quota({ hard: { pods: "1500m" } }), ["Invalid spec.hard[pods]"]],
  ["ResourceQuota: count", ...quota({ hard: { "count/deployments.apps": "1" } }), []],
  ["ResourceQuota: proto", ...quota(JSON.parse('{"hard":{"__proto__":"1"}}')), ["Invalid spec.hard[__proto__]"]],
  [
    "ResourceQuota: scopes conflict",
    ...quota({ hard: { pods: "1" }, scopes: ["BestEffort", "NotBestEffort"] }),
    ["Invalid spec.scopes"],
  ],
  [
    "ResourceQuota: scopes wrong res",
    ...quota({ hard: { services: "1" }, scopes: ["BestEffort"] }),
    ["Invalid spec.scopes"],
  ],
  [
    "ResourceQuota: scopeSelector",
    ...quota({
      hard: { pods: "1" },
      scopeSelector: { matchExpressions: [{ scopeName: "Foo", operator: "In", values: ["a"] }] },
    }),
    ["Invalid spec.scopeSelector.matchExpressions.scopeName"],
  ],
  [
    "ResourceQuota: scope of what is not a standard resource",
    ...quota({ hard: { "requests.nvidia.com/gpu": "1", "count/secrets": "1" }, scopes: ["Terminating"] }),
    [],
  ],
  [
    "ResourceQuota: scope of huge pages",
    ...quota({ hard: { "hugepages-2Mi": "1" }, scopes: ["Terminating"] }),
    ["Invalid spec.scopes"],
  ],
  ["ResourceQuota: empty", ...quota({}), []],
  ["LimitRange: type", ...limitRange({ type: "Foo", max: { cpu: "1" } }), ["Invalid spec.limits[0].type"]],
  [
    "LimitRange: min max",
    ...limitRange({ type: "Container", min: { cpu: "2" }, max: { cpu: "1" } }),
    [
      "Invalid spec.limits[0].defaultRequest[cpu]",
      "Invalid spec.limits[0].default[cpu]",
      "Invalid spec.limits[0].min[cpu]",
    ],
  ],
  [
    "LimitRange: default max",
    ...limitRange({ type: "Container", default: { cpu: "2" }, max: { cpu: "1" } }),
    ["Invalid spec.limits[0].defaultRequest[cpu]", "Invalid spec.limits[0].default[cpu]"],
  ],
  [
    "LimitRange: req default",
    ...limitRange({ type: "Container", defaultRequest: { cpu: "2" }, default: { cpu: "1" } }),
    ["Invalid spec.limits[0].defaultRequest[cpu]"],
  ],
  [
    "LimitRange: pod default",
    ...limitRange({ type: "Pod", default: { cpu: "1" } }),
    ["Forbidden spec.limits[0].default"],
  ],
  [
    "LimitRange: ratio",
    ...limitRange({ type: "Container", maxLimitRequestRatio: { cpu: "500m" } }),
    ["Invalid spec.limits[0].maxLimitRequestRatio[cpu]"],
  ],
  [
    "LimitRange: ratio minmax",
    ...limitRange({ type: "Container", min: { cpu: "1" }, max: { cpu: "2" }, maxLimitRequestRatio: { cpu: "3" } }),
    ["Invalid spec.limits[0].maxLimitRequestRatio[cpu]"],
  ],
  [
    "LimitRange: pvc",
    ...limitRange({ type: "PersistentVolumeClaim", max: { cpu: "1" } }),
    ["Required spec.limits[0].limits"],
  ],
  [
    "LimitRange: unknown res",
    ...limitRange({ type: "Container", max: { foo: "1" } }),
    [
      "Invalid spec.limits[0].defaultRequest[foo]",
      "Invalid spec.limits[0].default[foo]",
      "Invalid spec.limits[0].max[foo]",
    ],
  ],
  [
    "LimitRange: dup",
    "/api/v1",
    "limitranges",
    {
      spec: {
        limits: [
          { type: "Pod", max: { cpu: "1" } },
          { type: "Pod", max: { cpu: "1" } },
        ],
      },
    },
    ["Duplicate spec.limits[1].type"],
  ],
  [
    "LimitRange: min above default",
    ...limitRange({ type: "Container", min: { cpu: "2" }, default: { cpu: "1" } }),
    ["Invalid spec.limits[0].defaultRequest[cpu]", "Invalid spec.limits[0].default[cpu]"],
  ],
];
