import type { ValidationCase } from "./validation-case.ts";

const ing = (spec: object) => ["/apis/networking.k8s.io/v1", "ingresses", { spec }] as const;
const svc = { service: { name: "s", port: { number: 80 } } };
const np = (spec: object) =>
  ["/apis/networking.k8s.io/v1", "networkpolicies", { spec: { podSelector: {}, ...spec } }] as const;
const pvc = (spec: object) =>
  [
    "/api/v1",
    "persistentvolumeclaims",
    { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec } },
  ] as const;

/** Ingresses, network policies, volumes, quotas and Services: what a kube-apiserver says about new ones. */
export const servicesCases: readonly ValidationCase[] = [
  ["Ingress: empty", ...ing({}), ["Invalid spec"]],
  ["Ingress: ok", ...ing({ defaultBackend: svc }), []],
  [
    "Ingress: rule ok",
    ...ing({ rules: [{ host: "a.example", http: { paths: [{ path: "/", pathType: "Prefix", backend: svc }] } }] }),
    [],
  ],
  [
    "Ingress: host ip",
    ...ing({ rules: [{ host: "1.2.3.4", http: { paths: [{ path: "/", pathType: "Prefix", backend: svc }] } }] }),
    ["Invalid spec.rules[0].host"],
  ],
  [
    "Ingress: host bad",
    ...ing({ rules: [{ host: "A_b", http: { paths: [{ path: "/", pathType: "Prefix", backend: svc }] } }] }),
    ["Invalid spec.rules[0].host"],
  ],
  [
    "Ingress: host wildcard ok",
    ...ing({ rules: [{ host: "*.b.c", http: { paths: [{ path: "/", pathType: "Prefix", backend: svc }] } }] }),
    [],
  ],
  [
    "Ingress: host wildcard bad",
    ...ing({ rules: [{ host: "a.*.c", http: { paths: [{ path: "/", pathType: "Prefix", backend: svc }] } }] }),
    ["Invalid spec.rules[0].host"],
  ],
  [
    "Ingress: no paths",
    ...ing({ rules: [{ host: "a.b", http: { paths: [] } }] }),
    ["Required spec.rules[0].http.paths"],
  ],
  [
    "Ingress: pathType missing",
    ...ing({ rules: [{ http: { paths: [{ path: "/", backend: svc }] } }] }),
    ["Required spec.rules[0].http.paths[0].pathType"],
  ],
  [
    "Ingress: pathType bad",
    ...ing({ rules: [{ http: { paths: [{ path: "/", pathType: "Foo", backend: svc }] } }] }),
    ["NotSupported spec.rules[0].http.paths[0].pathType"],
  ],
  [
    "Ingress: path relative",
    ...ing({ rules: [{ http: { paths: [{ path: "a", pathType: "Prefix", backend: svc }] } }] }),
    ["Invalid spec.rules[0].http.paths[0].path"],
  ],
  [
    "Ingress: path double slash",
    ...ing({ rules: [{ http: { paths: [{ path: "/a//b", pathType: "Exact", backend: svc }] } }] }),
    ["Invalid spec.rules[0].http.paths[0].path"],
  ],
  [
    "Ingress: path impl",
    ...ing({ rules: [{ http: { paths: [{ pathType: "ImplementationSpecific", backend: svc }] } }] }),
    [],
  ],
  [
    "Ingress: path empty prefix",
    ...ing({ rules: [{ http: { paths: [{ pathType: "Prefix", backend: svc }] } }] }),
    ["Invalid spec.rules[0].http.paths[0].path"],
  ],
  [
    "Ingress: backend none",
    ...ing({ rules: [{ http: { paths: [{ path: "/", pathType: "Prefix", backend: {} }] } }] }),
    ["Invalid spec.rules[0].http.paths[0].backend"],
  ],
  [
    "Ingress: backend both",
    ...ing({ defaultBackend: { ...svc, resource: { kind: "A", name: "b" } } }),
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
  ["Ingress: class bad", ...ing({ ingressClassName: "A_", defaultBackend: svc }), ["Invalid spec.ingressClassName"]],
  [
    "Ingress: tls host bad",
    ...ing({ defaultBackend: svc, tls: [{ hosts: ["A_"], secretName: "s" }] }),
    ["Invalid spec.tls[0].hosts[0]"],
  ],
  [
    "Ingress: tls secret bad",
    ...ing({ defaultBackend: svc, tls: [{ hosts: ["a.b"], secretName: "S_" }] }),
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
  [
    "NetworkPolicy: cidr",
    ...np({ ingress: [{ from: [{ ipBlock: { cidr: "x" } }] }] }),
    ["Invalid spec.ingress[0].from[0].ipBlock.cidr"],
  ],
  [
    "NetworkPolicy: except",
    ...np({ ingress: [{ from: [{ ipBlock: { cidr: "10.0.0.0/8", except: ["11.0.0.0/16"] } }] }] }),
    ["Invalid spec.ingress[0].from[0].ipBlock.except[0]"],
  ],
  [
    "NetworkPolicy: except ok",
    ...np({ ingress: [{ from: [{ ipBlock: { cidr: "10.0.0.0/8", except: ["10.1.0.0/16"] } }] }] }),
    [],
  ],
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
  [
    "PersistentVolume: ok",
    "/api/v1",
    "persistentvolumes",
    { spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" } } },
    [],
  ],
  [
    "PersistentVolume: two sources",
    "/api/v1",
    "persistentvolumes",
    {
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
        hostPath: { path: "/x" },
        nfs: { server: "a", path: "/b" },
      },
    },
    ["Forbidden spec.nfs"],
  ],
  [
    "PersistentVolume: mode",
    "/api/v1",
    "persistentvolumes",
    { spec: { capacity: { storage: "1Gi" }, accessModes: ["Foo"], hostPath: { path: "/x" } } },
    ["NotSupported spec.accessModes"],
  ],
  [
    "PersistentVolume: reclaim",
    "/api/v1",
    "persistentvolumes",
    {
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
        hostPath: { path: "/x" },
        persistentVolumeReclaimPolicy: "Foo",
      },
    },
    ["NotSupported spec.persistentVolumeReclaimPolicy"],
  ],
  [
    "PersistentVolume: capacity",
    "/api/v1",
    "persistentvolumes",
    { spec: { capacity: { cpu: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" } } },
    ["NotSupported spec.capacity"],
  ],
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
  [
    "Service: selector bad",
    "/api/v1",
    "services",
    { spec: { selector: { "a b": "c" }, ports: [{ port: 80 }] } },
    ["Invalid spec.selector"],
  ],
  [
    "Service: port high",
    "/api/v1",
    "services",
    { spec: { ports: [{ port: 80000 }] } },
    ["Invalid spec.ports[0].port", "Invalid spec.ports[0].targetPort"],
  ],
  [
    "Service: protocol",
    "/api/v1",
    "services",
    { spec: { ports: [{ port: 80, protocol: "X" }] } },
    ["NotSupported spec.ports[0].protocol"],
  ],
  [
    "Service: dup port",
    "/api/v1",
    "services",
    {
      spec: {
        ports: [
          { port: 80, name: "a" },
          { port: 80, name: "b" },
        ],
      },
    },
    ["Duplicate spec.ports[1]"],
  ],
  [
    "Service: dup name",
    "/api/v1",
    "services",
    {
      spec: {
        ports: [
          { port: 80, name: "a" },
          { port: 81, name: "a" },
        ],
      },
    },
    ["Duplicate spec.ports[1].name"],
  ],
  [
    "Service: affinity",
    "/api/v1",
    "services",
    { spec: { sessionAffinity: "Foo", ports: [{ port: 80 }] } },
    ["NotSupported spec.sessionAffinity"],
  ],
  [
    "Service: external ip",
    "/api/v1",
    "services",
    { spec: { externalIPs: ["x"], ports: [{ port: 80 }] } },
    ["Invalid spec.externalIPs[0]"],
  ],
  [
    "Service: lb source",
    "/api/v1",
    "services",
    { spec: { type: "LoadBalancer", loadBalancerSourceRanges: ["x"], ports: [{ port: 80 }] } },
    ["Invalid spec.LoadBalancerSourceRanges[0]"],
  ],
  [
    "Service: policy",
    "/api/v1",
    "services",
    { spec: { type: "NodePort", externalTrafficPolicy: "Foo", ports: [{ port: 80 }] } },
    ["NotSupported spec.externalTrafficPolicy"],
  ],
  [
    "Service: targetPort name",
    "/api/v1",
    "services",
    { spec: { ports: [{ port: 80, targetPort: "A_B" }] } },
    ["Invalid spec.ports[0].targetPort"],
  ],
  ["Service: name digit", "/api/v1", "services", { metadata: { name: "1a" }, spec: { ports: [{ port: 80 }] } }, []],
];
