import type { ValidationCase } from "./validation-case.ts";
import { c, pod, containing, limited } from "./validation-objects.ts";

/** Amounts of resources and further fields of containers: what a kube-apiserver says about new ones. */
export const resourcesCases: readonly ValidationCase[] = [
  ["port: hostIP bad", ...containing({ ports: [{ containerPort: 80, hostIP: "x" }] }), []],
  [
    "container: restart bad",
    ...containing({ restartPolicy: "Foo" }),
    ["NotSupported spec.containers[0].restartPolicy"],
  ],
  [
    "container: restart rules",
    ...containing({ restartPolicyRules: [{ action: "Restart", exitCodes: { operator: "In", values: [1] } }] }),
    ["Required spec.containers[0].restartPolicy"],
  ],
  [
    "container: init restart bad",
    ...pod({ initContainers: [c({ name: "i", restartPolicy: "Foo" })] }),
    ["NotSupported spec.initContainers[0].restartPolicy"],
  ],
  [
    "container: init always probe",
    ...pod({ initContainers: [c({ name: "i", restartPolicy: "Always", livenessProbe: {} })] }),
    ["Required spec.initContainers[0].livenessProbe"],
  ],
  [
    "container: resizePolicy",
    ...containing({ resizePolicy: [{ resourceName: "cpu", restartPolicy: "Foo" }] }),
    ["NotSupported spec.containers[0].resizePolicy"],
  ],
  [
    "container: resizePolicy dup",
    ...containing({
      resizePolicy: [
        { resourceName: "cpu", restartPolicy: "NotRequired" },
        { resourceName: "cpu", restartPolicy: "NotRequired" },
      ],
    }),
    ["Duplicate spec.containers[0].resizePolicy[1]"],
  ],
  [
    "container: resizePolicy res",
    ...containing({ resizePolicy: [{ resourceName: "foo", restartPolicy: "NotRequired" }] }),
    ["NotSupported spec.containers[0].resizePolicy"],
  ],
  [
    "container: claims",
    ...containing({ resources: { claims: [{ name: "x" }] } }),
    ["NotFound spec.containers[0].resources.claims[0]"],
  ],
  ["container: name long", ...containing({ name: "a".repeat(64) }), ["Invalid spec.containers[0].name"]],
  [
    "container: port range host",
    ...containing({ ports: [{ containerPort: 80, hostPort: -1 }] }),
    ["Invalid spec.containers[0].ports[0].hostPort"],
  ],
  [
    "container: port neg",
    ...containing({ ports: [{ containerPort: -1 }] }),
    ["Invalid spec.containers[0].ports[0].containerPort"],
  ],
  ["resources: hugepages only", ...limited({ "hugepages-2Mi": "2Mi" }), ["Forbidden spec.containers[0].resources"]],
  ["resources: hugepages cpu", ...limited({ "hugepages-2Mi": "2Mi", cpu: "1" }), []],
  [
    "resources: hugepages uneven",
    ...limited({ "hugepages-2Mi": "3Mi", cpu: "1" }),
    [
      "Invalid spec.containers[0].resources.limits[hugepages-2Mi]",
      "Invalid spec.containers[0].resources.requests[hugepages-2Mi]",
    ],
  ],
  ["resources: hugepages two", ...limited({ "hugepages-2Mi": "2Mi", "hugepages-1Gi": "1Gi", cpu: "1" }), []],
  ["resources: kubernetes.io", ...limited({ "kubernetes.io/foo": "1" }), []],
  [
    "resources: pods",
    ...limited({ pods: "1" }),
    ["Invalid spec.containers[0].resources.limits[pods]", "Invalid spec.containers[0].resources.requests[pods]"],
  ],
  [
    "resources: storage",
    ...limited({ storage: "1" }),
    ["Invalid spec.containers[0].resources.limits[storage]", "Invalid spec.containers[0].resources.requests[storage]"],
  ],
  [
    "resources: requests.x",
    ...limited({ "requests.example.org/x": "1" }),
    [
      "Invalid spec.containers[0].resources.limits[requests.example.org/x]",
      "Invalid spec.containers[0].resources.requests[requests.example.org/x]",
    ],
  ],
  [
    "resources: name bad",
    ...limited({ "example.org/a b": "1" }),
    [
      "Invalid spec.containers[0].resources.limits[example.org/a b]",
      "Invalid spec.containers[0].resources.requests[example.org/a b]",
    ],
  ],
  ["resources: memory fraction", ...limited({ memory: "100m" }), []],
  ["resources: cpu tiny", ...limited({ cpu: "0.0001" }), []],
  [
    "resources: ext diff",
    ...limited({ "example.org/g": "2" }, { "example.org/g": "1" }),
    ["Invalid spec.containers[0].resources.requests"],
  ],
  ["resources: requests big number", ...limited({ cpu: 1e3 }), []],
  ["resources: pod level", ...pod({ resources: { limits: { cpu: "1" } } }), []],
  [
    "resources: constructor",
    ...containing({ resources: { requests: { constructor: "1" } } }),
    ["Invalid spec.containers[0].resources.requests[constructor]"],
  ],
  [
    "resources: proto",
    ...containing({ resources: JSON.parse('{"limits":{"__proto__":"1"}}') }),
    [
      "Invalid spec.containers[0].resources.limits[__proto__]",
      "Invalid spec.containers[0].resources.requests[__proto__]",
    ],
  ],
];
