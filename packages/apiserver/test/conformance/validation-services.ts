import type { ValidationCase } from "./validation-case.ts";
import { svcb, ing, routed, np, block, pvc, pv, svc } from "./validation-objects.ts";

/** Ingresses, network policies, volumes, quotas and Services: what a kube-apiserver says about new ones. */
export const servicesCases: readonly ValidationCase[] = [
  ["Ingress: empty", ...ing({}), ["Invalid spec"]],
  ["Ingress: ok", ...ing({ defaultBackend: svcb }), []],
  ["Ingress: rule ok", ...routed({}, "a.example"), []],
  ["Ingress: host ip", ...routed({}, "1.2.3.4"), ["Invalid spec.rules[0].host"]],
  ["Ingress: host bad", ...routed({}, "A_b"), ["Invalid spec.rules[0].host"]],
  ["Ingress: host wildcard ok", ...routed({}, "*.b.c"), []],
  ["Ingress: host wildcard bad", ...routed({}, "a.*.c"), ["Invalid spec.rules[0].host"]],
  [
    "Ingress: no paths",
    ...ing({ rules: [{ host: "a.b", http: { paths: [] } }] }),
    ["Required spec.rules[0].http.paths"],
  ],
  [
    "Ingress: pathType missing",
    ...ing({ rules: [{ http: { paths: [{ path: "/", backend: svcb }] } }] }),
    ["Required spec.rules[0].http.paths[0].pathType"],
  ],
  [
    "Ingress: pathType bad",
    ...routed({ path: "/", pathType: "Foo" }),
    ["NotSupported spec.rules[0].http.paths[0].pathType"],
  ],
  [
    "Ingress: path relative",
    ...routed({ path: "a", pathType: "Prefix" }),
    ["Invalid spec.rules[0].http.paths[0].path"],
  ],
  [
    "Ingress: path double slash",
    ...routed({ path: "/a//b", pathType: "Exact" }),
    ["Invalid spec.rules[0].http.paths[0].path"],
  ],
  [
    "Ingress: path impl",
    ...ing({ rules: [{ http: { paths: [{ pathType: "ImplementationSpecific", backend: svcb }] } }] }),
    [],
  ],
  [
    "Ingress: path empty prefix",
    ...ing({ rules: [{ http: { paths: [{ pathType: "Prefix", backend: svcb }] } }] }),
    ["Invalid spec.rules[0].http.paths[0].path"],
  ],
  ["Ingress: backend none", ...routed({ backend: {} }), ["Invalid spec.rules[0].http.paths[0].backend"]],
  [
    "Ingress: backend both",
    ...ing({ defaultBackend: { ...svcb, resource: { kind: "A", name: "b" } } }),
    ["Invalid spec.defaultBackend"],
  ],
  [
    "Ingress: service name",
    ...ing({ defaultBackend: { service: { name: "", port: { number: 80 } } } }),
    ["Required spec.defaultBackend.service.name"],
  ],
  [
    "Ingress: service name bad",
    ...ing({ defaultBackend: { service: { name: "A_", port: { number: 80 } } } }),
    ["Invalid spec.defaultBackend.service.name"],
  ],
  [
    "Ingress: port none",
    ...ing({ defaultBackend: { service: { name: "s", port: {} } } }),
    ["Required spec.defaultBackend"],
  ],
  [
    "Ingress: port both",
    ...ing({ defaultBackend: { service: { name: "s", port: { name: "a", number: 80 } } } }),
    ["Invalid spec.defaultBackend"],
  ],
  [
    "Ingress: port range",
    ...ing({ defaultBackend: { service: { name: "s", port: { number: 70000 } } } }),
    ["Invalid spec.defaultBackend.service.port.number"],
  ],
  [
    "Ingress: port name",
    ...ing({ defaultBackend: { service: { name: "s", port: { name: "A_" } } } }),
    ["Invalid spec.defaultBackend.service.port.name"],
  ],
  [
    "Ingress: resource kind",
    ...ing({ defaultBackend: { resource: { kind: "", name: "" } } }),
    ["Required spec.defaultBackend.resource.kind", "Required spec.defaultBackend.resource.name"],
  ],
  ["Ingress: class bad", ...ing({ ingressClassName: "A_", defaultBackend: svcb }), ["Invalid spec.ingressClassName"]],
  [
    "Ingress: tls host bad",
    ...ing({ defaultBackend: svcb, tls: [{ hosts: ["A_"], secretName: "s" }] }),
    ["Invalid spec.tls[0].hosts[0]"],
  ],
  [
    "Ingress: tls secret bad",
    ...ing({ defaultBackend: svcb, tls: [{ hosts: ["a.b"], secretName: "S_" }] }),
    ["Invalid spec.tls[0].secretName"],
  ],
  ["NetworkPolicy: ok", ...np({}), []],
  ["NetworkPolicy: type", ...np({ policyTypes: ["Foo"] }), ["NotSupported spec.policyTypes[0]"]],
  ["NetworkPolicy: types many", ...np({ policyTypes: ["Ingress", "Egress", "Ingress"] }), ["Invalid spec.policyTypes"]],
  ["NetworkPolicy: peer empty", ...np({ ingress: [{ from: [{}] }] }), ["Required spec.ingress[0].from[0]"]],
  [
    "NetworkPolicy: peer both",
    ...np({ ingress: [{ from: [{ podSelector: {}, ipBlock: { cidr: "10.0.0.0/8" } }] }] }),
    ["Forbidden spec.ingress[0].from[0]"],
  ],
  ["NetworkPolicy: cidr", ...block("x"), ["Invalid spec.ingress[0].from[0].ipBlock.cidr"]],
  [
    "NetworkPolicy: except",
    ...block("10.0.0.0/8", "11.0.0.0/16"),
    ["Invalid spec.ingress[0].from[0].ipBlock.except[0]"],
  ],
  ["NetworkPolicy: except ok", ...block("10.0.0.0/8", "10.1.0.0/16"), []],
  [
    "NetworkPolicy: port",
    ...np({ ingress: [{ ports: [{ port: 70000 }] }] }),
    ["Invalid spec.ingress[0].ports[0].port"],
  ],
  [
    "NetworkPolicy: port protocol",
    ...np({ ingress: [{ ports: [{ port: 7, protocol: "X" }] }] }),
    ["NotSupported spec.ingress[0].ports[0].protocol"],
  ],
  [
    "NetworkPolicy: endPort no port",
    ...np({ ingress: [{ ports: [{ endPort: 7 }] }] }),
    ["Invalid spec.ingress[0].ports[0].endPort"],
  ],
  [
    "NetworkPolicy: endPort below",
    ...np({ ingress: [{ ports: [{ port: 8, endPort: 7 }] }] }),
    ["Invalid spec.ingress[0].ports[0].endPort"],
  ],
  [
    "NetworkPolicy: endPort named",
    ...np({ ingress: [{ ports: [{ port: "a", endPort: 7 }] }] }),
    ["Invalid spec.ingress[0].ports[0].endPort"],
  ],
  [
    "NetworkPolicy: selector",
    ...np({ podSelector: { matchLabels: { "a b": "c" } } }),
    ["Invalid spec.podSelector.matchLabels"],
  ],
  ["PersistentVolumeClaim: ok", ...pvc({}), []],
  ["PersistentVolumeClaim: no modes", ...pvc({ accessModes: [] }), ["Required spec.accessModes"]],
  ["PersistentVolumeClaim: mode bad", ...pvc({ accessModes: ["Foo"] }), ["NotSupported spec.accessModes"]],
  ["PersistentVolumeClaim: no request", ...pvc({ resources: {} }), ["Required spec.resources[storage]"]],
  [
    "PersistentVolumeClaim: zero",
    ...pvc({ resources: { requests: { storage: "0" } } }),
    ["Invalid spec.resources[storage]"],
  ],
  [
    "PersistentVolumeClaim: negative",
    ...pvc({ resources: { requests: { storage: "-1" } } }),
    ["Invalid spec.resources[storage]"],
  ],
  [
    "PersistentVolumeClaim: rwop and other",
    ...pvc({ accessModes: ["ReadWriteOncePod", "ReadWriteOnce"] }),
    ["Forbidden spec.accessModes"],
  ],
  ["PersistentVolumeClaim: volumeMode", ...pvc({ volumeMode: "Foo" }), ["NotSupported spec.volumeMode"]],
  ["PersistentVolumeClaim: class bad", ...pvc({ storageClassName: "A_" }), ["Invalid spec.storageClassName"]],
  [
    "PersistentVolumeClaim: selector",
    ...pvc({ selector: { matchExpressions: [{ key: "a", operator: "Foo" }] } }),
    ["Invalid spec.selector.matchExpressions[0].operator"],
  ],
  ["PersistentVolumeClaim: volumeName bad", ...pvc({ volumeName: "A_" }), []],
  [
    "PersistentVolumeClaim: limit below",
    ...pvc({ resources: { requests: { storage: "2Gi" }, limits: { storage: "1Gi" } } }),
    [],
  ],
  [
    "PersistentVolume: empty",
    "/api/v1",
    "persistentvolumes",
    { spec: {} },
    ["NotSupported spec.capacity", "Required spec", "Required spec.accessModes", "Required spec.capacity"],
  ],
  ["PersistentVolume: ok", ...pv(), []],
  [
    "PersistentVolume: two sources",
    ...pv({
      nfs: { server: "a", path: "/b" },
    }),
    ["Forbidden spec.nfs"],
  ],
  ["PersistentVolume: mode", ...pv({ accessModes: ["Foo"] }), ["NotSupported spec.accessModes"]],
  [
    "PersistentVolume: reclaim",
    ...pv({
      persistentVolumeReclaimPolicy: "Foo",
    }),
    ["NotSupported spec.persistentVolumeReclaimPolicy"],
  ],
  ["PersistentVolume: capacity", ...pv({ capacity: { cpu: "1Gi" } }), ["NotSupported spec.capacity"]],
  ["StorageClass: no provisioner", "/apis/storage.k8s.io/v1", "storageclasses", {}, ["Required provisioner"]],
  [
    "StorageClass: binding",
    "/apis/storage.k8s.io/v1",
    "storageclasses",
    { provisioner: "a", volumeBindingMode: "Foo" },
    ["NotSupported volumeBindingMode"],
  ],
  [
    "StorageClass: reclaim",
    "/apis/storage.k8s.io/v1",
    "storageclasses",
    { provisioner: "a", reclaimPolicy: "Foo" },
    ["NotSupported reclaimPolicy"],
  ],
  [
    "ResourceQuota: bad",
    "/api/v1",
    "resourcequotas",
    { spec: { hard: { "": "1", pods: "-1", "requests.cpu": "x" } } },
    400,
  ],
  [
    "ResourceQuota: scope",
    "/api/v1",
    "resourcequotas",
    { spec: { hard: { pods: "1" }, scopes: ["Foo"] } },
    ["Invalid spec.scopes"],
  ],
  ["Service: selector bad", ...svc({ selector: { "a b": "c" } }), ["Invalid spec.selector"]],
  [
    "Service: port high",
    ...svc({ ports: [{ port: 80000 }] }),
    ["Invalid spec.ports[0].port", "Invalid spec.ports[0].targetPort"],
  ],
  ["Service: protocol", ...svc({ ports: [{ port: 80, protocol: "X" }] }), ["NotSupported spec.ports[0].protocol"]],
  [
    "Service: dup port",
    ...svc({
      ports: [
        { port: 80, name: "a" },
        { port: 80, name: "b" },
      ],
    }),
    ["Duplicate spec.ports[1]"],
  ],
  [
    "Service: dup name",
    ...svc({
      ports: [
        { port: 80, name: "a" },
        { port: 81, name: "a" },
      ],
    }),
    ["Duplicate spec.ports[1].name"],
  ],
  ["Service: affinity", ...svc({ sessionAffinity: "Foo" }), ["NotSupported spec.sessionAffinity"]],
  ["Service: external ip", ...svc({ externalIPs: ["x"] }), ["Invalid spec.externalIPs[0]"]],
  [
    "Service: lb source",
    ...svc({ type: "LoadBalancer", loadBalancerSourceRanges: ["x"] }),
    ["Invalid spec.LoadBalancerSourceRanges[0]"],
  ],
  [
    "Service: policy",
    ...svc({ type: "NodePort", externalTrafficPolicy: "Foo" }),
    ["NotSupported spec.externalTrafficPolicy"],
  ],
  [
    "Service: targetPort name",
    ...svc({ ports: [{ port: 80, targetPort: "A_B" }] }),
    ["Invalid spec.ports[0].targetPort"],
  ],
  ["Service: name digit", "/api/v1", "services", { metadata: { name: "1a" }, spec: { ports: [{ port: 80 }] } }, []],
];
