import type { ValidationCase } from "./validation-case.ts";
import { svcb, ing, routed, np, block } from "./validation-objects.ts";

/** Ingresses and network policies: addresses, paths and backends: what a kube-apiserver says about new ones. */
export const networksCases: readonly ValidationCase[] = [
  ["Ingress: host star only", ...routed({}, "*"), ["Invalid spec.rules[0].host"]],
  ["Ingress: host star dot", ...routed({}, "*."), ["Invalid spec.rules[0].host"]],
  ["Ingress: host ipv6", ...routed({}, "::1"), ["Invalid spec.rules[0].host"]],
  ["Ingress: tls host ip", ...ing({ defaultBackend: svcb, tls: [{ hosts: ["1.2.3.4"] }] }), []],
  ["Ingress: tls host star", ...ing({ defaultBackend: svcb, tls: [{ hosts: ["*.a.b"] }] }), []],
  ["Ingress: path ..", ...routed({ path: "/a/..", pathType: "Prefix" }), ["Invalid spec.rules[0].http.paths[0].path"]],
  ["Ingress: path ../ impl", ...routed({ path: "/a/../b", pathType: "ImplementationSpecific" }), []],
  ["Ingress: path regex exact", ...routed({ path: "/a[", pathType: "Exact" }), []],
  [
    "Ingress: path slash end",
    ...routed({ path: "/a/.", pathType: "Exact" }),
    ["Invalid spec.rules[0].http.paths[0].path"],
  ],
  [
    "Ingress: resource bad",
    ...ing({ defaultBackend: { resource: { kind: "a/b", name: ".." } } }),
    ["Invalid spec.defaultBackend.resource.kind", "Invalid spec.defaultBackend.resource.name"],
  ],
  [
    "Ingress: resource group bad",
    ...ing({ defaultBackend: { resource: { apiGroup: "A_", kind: "a", name: "b" } } }),
    ["Invalid spec.defaultBackend.resource.apiGroup"],
  ],
  [
    "Ingress: port neg",
    ...ing({ defaultBackend: { service: { name: "s", port: { number: -1 } } } }),
    ["Invalid spec.defaultBackend.service.port.number"],
  ],
  [
    "Ingress: annotation class",
    "/apis/networking.k8s.io/v1",
    "ingresses",
    {
      metadata: { annotations: { "kubernetes.io/ingress.class": "a" } },
      spec: { ingressClassName: "a", defaultBackend: svcb },
    },
    [],
  ],
  [
    "NetworkPolicy: except same",
    ...block("10.0.0.0/8", "10.0.0.0/8"),
    ["Invalid spec.ingress[0].from[0].ipBlock.except[0]"],
  ],
  ["NetworkPolicy: cidr empty", ...block(""), ["Required spec.ingress[0].from[0].ipBlock.cidr"]],
  ["NetworkPolicy: cidr hostbits", ...block("10.1.2.3/8"), ["Invalid spec.ingress[0].from[0].ipBlock.cidr"]],
  ["NetworkPolicy: cidr leading 0", ...block("10.01.0.0/8"), ["Invalid spec.ingress[0].from[0].ipBlock.cidr"]],
  ["NetworkPolicy: cidr bits 08", ...block("10.1.0.0/08"), ["Invalid spec.ingress[0].from[0].ipBlock.cidr"]],
  ["NetworkPolicy: cidr v6 zone", ...block("fe80::1%eth0/64"), ["Invalid spec.ingress[0].from[0].ipBlock.cidr"]],
  ["NetworkPolicy: cidr v6", ...block("fe80::/10", "fe80::/16"), []],
  ["NetworkPolicy: cidr mapped", ...block("::ffff:1.2.3.4/120"), ["Invalid spec.ingress[0].from[0].ipBlock.cidr"]],
  [
    "NetworkPolicy: except v4 in v6",
    ...block("fe80::/10", "10.0.0.0/8"),
    ["Invalid spec.ingress[0].from[0].ipBlock.except[0]"],
  ],
  [
    "NetworkPolicy: except outer",
    ...block("10.0.0.0/8", "0.0.0.0/0"),
    ["Invalid spec.ingress[0].from[0].ipBlock.except[0]"],
  ],
  [
    "NetworkPolicy: endPort high",
    ...np({ ingress: [{ ports: [{ port: 8, endPort: 70000 }] }] }),
    ["Invalid spec.ingress[0].ports[0].endPort"],
  ],
  ["NetworkPolicy: port 0", ...np({ ingress: [{ ports: [{ port: 0 }] }] }), ["Invalid spec.ingress[0].ports[0].port"]],
  [
    "NetworkPolicy: port empty name",
    ...np({ ingress: [{ ports: [{ port: "" }] }] }),
    ["Invalid spec.ingress[0].ports[0].port"],
  ],
  ["NetworkPolicy: egress to empty", ...np({ egress: [{ to: [{}] }] }), ["Required spec.egress[0].to[0]"]],
  [
    "NetworkPolicy: sel op",
    ...np({ podSelector: { matchExpressions: [{ key: "a", operator: "In", values: ["b c"] }] } }),
    ["Invalid spec.podSelector.matchExpressions[0].values[0]"],
  ],
];
