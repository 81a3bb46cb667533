/** An object, a merge patch of it, and the causes of the 422 that answers the patch; none when it is accepted. */
export type UpdateCase = readonly [
  title: string,
  api: string,
  plural: string,
  object: object,
  patch: object,
  causes: readonly string[],
];

const labels = { app: "x" };
const selector = { matchLabels: labels };
const container = { name: "c", image: "i" };
const template = { metadata: { labels }, spec: { containers: [container] } };
const other = { selector: { matchLabels: { app: "y" } }, template: { metadata: { labels: { app: "y" } } } };
const ending = { spec: { restartPolicy: "Never", containers: [container] } };
const image = { spec: { containers: [{ name: "c", image: "j" }] } };
const limited = { spec: { containers: [{ ...container, resources: { limits: { cpu: "1" } } }] } };
const amount = (storage: string) => ({ resources: { requests: { storage } } });
const claim = { accessModes: ["ReadWriteOnce"], ...amount("1Gi") };
/** Of a class of its own: no claim is bound to it between two requests. */
const volume = {
  storageClassName: "unclaimed",
  capacity: { storage: "1Gi" },
  accessModes: ["ReadWriteOnce"],
  hostPath: { path: "/x" },
};
const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "d" };

const apps = (plural: string, spec: object = {}) =>
  ["/apis/apps/v1", plural, { spec: { selector, template, ...spec } }] as const;
const job = (spec: object = {}) => ["/apis/batch/v1", "jobs", { spec: { template: ending, ...spec } }] as const;
const core = (plural: string, spec: object) => ["/api/v1", plural, { spec }] as const;
const lasting = { key: "a", operator: "Exists", effect: "NoExecute", tolerationSeconds: 5 };
const tolerant = { containers: [container], tolerations: [lasting] };
const gated = { containers: [container], schedulingGates: [{ name: "a" }] };
const nodeTerm = { matchExpressions: [{ key: "a", operator: "Exists" }] };
const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [nodeTerm] } };
const preferring = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: nodeTerm }] };
const service = (type: string, more: object = {}) => core("services", { type, ports: [{ port: 80 }], ...more });
const indexed = { completions: 2, parallelism: 2, completionMode: "Indexed" };

/** Changes: what a kube-apiserver says about them. */
export const updateCases: readonly UpdateCase[] = [
  ["Deployment: selector", ...apps("deployments"), { spec: other }, ["Invalid spec.selector"]],
  ["Deployment: fewer than none", ...apps("deployments"), { spec: { replicas: -1 } }, ["Invalid spec.replicas"]],
  ["ReplicaSet: selector", ...apps("replicasets"), { spec: other }, ["Invalid spec.selector"]],
  ["DaemonSet: selector", ...apps("daemonsets"), { spec: other }, ["Invalid spec.selector"]],
  ["StatefulSet: service", ...apps("statefulsets"), { spec: { serviceName: "b" } }, ["Forbidden spec"]],
  ["StatefulSet: replicas", ...apps("statefulsets"), { spec: { replicas: 3 } }, []],
  [
    "ReplicationController: selector",
    ...core("replicationcontrollers", { template }),
    { spec: { ...other, selector: { app: "y" } } },
    [],
  ],
  ["Job: template", ...job(), { spec: { template: image } }, ["Invalid spec.template"]],
  [
    "Job: node of a suspended one",
    ...job({ suspend: true }),
    { spec: { template: { spec: { nodeSelector: { a: "b" } } } } },
    [],
  ],
  ["Job: resources of a suspended one", ...job({ suspend: true }), { spec: { template: limited } }, []],
  [
    "Job: image of a suspended one",
    ...job({ suspend: true }),
    { spec: { template: image } },
    ["Invalid spec.template.spec"],
  ],
  ["Job: parallelism", ...job(), { spec: { parallelism: 3 } }, []],
  ["Job: completions", ...job({ completions: 2 }), { spec: { completions: 3 } }, ["Invalid spec.completions"]],
  ["Job: completions of an elastic one", ...job(indexed), { spec: { completions: 3, parallelism: 3 } }, []],
  ["Job: mode", ...job({ completions: 2 }), { spec: { completionMode: "Indexed" } }, ["Invalid spec.completionMode"]],
  ["Job: suspended", ...job(), { spec: { suspend: true } }, []],
  [
    "CronJob: schedule",
    "/apis/batch/v1",
    "cronjobs",
    { spec: { schedule: "* * * * *", jobTemplate: { spec: { template: ending } } } },
    { spec: { schedule: "x" } },
    ["Invalid spec.schedule"],
  ],
  [
    "Ingress: port",
    "/apis/networking.k8s.io/v1",
    "ingresses",
    { spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } } },
    { spec: { defaultBackend: { service: { port: { number: 70_000 } } } } },
    ["Invalid spec.defaultBackend.service.port.number"],
  ],
  [
    "claim: access",
    ...core("persistentvolumeclaims", claim),
    { spec: { accessModes: ["ReadWriteMany"] } },
    ["Forbidden spec"],
  ],
  ["claim: more, unbound", ...core("persistentvolumeclaims", claim), { spec: amount("2Gi") }, ["Forbidden spec"]],
  ["claim: the same, written otherwise", ...core("persistentvolumeclaims", claim), { spec: amount("1024Mi") }, []],
  ["claim: its volume", ...core("persistentvolumeclaims", claim), { spec: { volumeName: "v" } }, []],
  [
    "claim: its class, when it has none",
    ...core("persistentvolumeclaims", claim),
    { spec: { storageClassName: "v" } },
    [],
  ],
  [
    "volume: source",
    ...core("persistentvolumes", volume),
    { spec: { hostPath: { path: "/y" } } },
    ["Forbidden spec.persistentvolumesource"],
  ],
  ["volume: capacity", ...core("persistentvolumes", volume), { spec: { capacity: { storage: "2Gi" } } }, []],
  ["volume: mode", ...core("persistentvolumes", volume), { spec: { volumeMode: "Block" } }, ["Invalid volumeMode"]],
  [
    "Pod: grace",
    ...core("pods", { containers: [container] }),
    { spec: { terminationGracePeriodSeconds: 5 } },
    ["Forbidden spec"],
  ],
  ["Pod: node", ...core("pods", { containers: [container] }), { spec: { nodeName: "n" } }, ["Forbidden spec"]],
  ["Pod: a deadline", ...core("pods", { containers: [container] }), { spec: { activeDeadlineSeconds: 3 } }, []],
  [
    "Pod: a later deadline",
    ...core("pods", { containers: [container], activeDeadlineSeconds: 3 }),
    { spec: { activeDeadlineSeconds: 4 } },
    ["Invalid spec.activeDeadlineSeconds"],
  ],
  [
    "Pod: no deadline",
    ...core("pods", { containers: [container], activeDeadlineSeconds: 3 }),
    { spec: { activeDeadlineSeconds: null } },
    ["Invalid spec.activeDeadlineSeconds"],
  ],
  [
    "Pod: toleration",
    ...core("pods", { containers: [container] }),
    { spec: { tolerations: [{ key: "a", operator: "Exists" }] } },
    [],
  ],
  ["Pod: less toleration", ...core("pods", tolerant), { spec: { tolerations: [] } }, ["Forbidden spec.tolerations"]],
  [
    "Pod: longer toleration",
    ...core("pods", tolerant),
    { spec: { tolerations: [{ ...lasting, tolerationSeconds: 6 }] } },
    [],
  ],
  [
    "Pod: a gate more",
    ...core("pods", { containers: [container] }),
    { spec: { schedulingGates: [{ name: "a" }] } },
    ["Forbidden spec.schedulingGates[0].name"],
  ],
  ["Pod: a gate less", ...core("pods", gated), { spec: { schedulingGates: null } }, []],
  ["Pod: affinity of a gated one", ...core("pods", gated), { spec: { affinity: { nodeAffinity } } }, []],
  [
    "Pod: affinity to Pods of a gated one",
    ...core("pods", gated),
    { spec: { affinity: { nodeAffinity, podAffinity: {} } } },
    ["Forbidden spec"],
  ],
  [
    "Pod: affinity of a gated one that prefers",
    ...core("pods", { ...gated, affinity: { nodeAffinity: preferring, podAffinity: {} } }),
    { spec: { affinity: { nodeAffinity } } },
    [],
  ],
  [
    "Pod: affinity of one without gates",
    ...core("pods", { containers: [container] }),
    { spec: { affinity: { nodeAffinity } } },
    ["Forbidden spec"],
  ],
  [
    "Service: one nodePort of two protocols and ports",
    ...service("NodePort"),
    {
      spec: {
        ports: [
          { port: 80, name: "a", protocol: "TCP", nodePort: 30024 },
          { port: 81, name: "b", protocol: "UDP", nodePort: 30024 },
        ],
      },
    },
    [],
  ],
  ["Pod: node of a gated one", ...core("pods", gated), { spec: { nodeSelector: { a: "b" } } }, []],
  [
    "Pod: a container more",
    ...core("pods", { containers: [container] }),
    { spec: { containers: [container, { name: "d", image: "i" }] } },
    ["Forbidden spec.containers"],
  ],
  [
    "claim: its attributes, unbound",
    ...core("persistentvolumeclaims", claim),
    { spec: { volumeAttributesClassName: "a" } },
    ["Forbidden spec"],
  ],
  [
    "ResourceQuota: scopes",
    // Of what no Pod here is: until it is counted, nothing that it is about can be created.
    ...core("resourcequotas", { hard: { pods: "1000" }, scopes: ["Terminating"] }),
    { spec: { scopes: [] } },
    ["Invalid spec.scopes"],
  ],
  ["Service: no node ports any more", ...service("NodePort"), { spec: { type: "ClusterIP" } }, []],
  [
    "Service: no balancer any more",
    ...service("LoadBalancer", { loadBalancerClass: "a.b/c", externalTrafficPolicy: "Local" }),
    { spec: { type: "ClusterIP" } },
    [],
  ],
  ["Service: node ports of a balancer", ...service("LoadBalancer"), { spec: { type: "NodePort" } }, []],
  ["Service: a name", ...service("ClusterIP"), { spec: { type: "ExternalName", externalName: "a.b" } }, []],
  ["Service: no name", ...service("ExternalName", { externalName: "a.b" }), { spec: { type: "ClusterIP" } }, []],
  [
    "Service: nothing from outside",
    ...service("ClusterIP", { externalIPs: ["1.2.3.4"] }),
    { spec: { externalIPs: null } },
    [],
  ],
  [
    "StorageClass: parameters",
    "/apis/storage.k8s.io/v1",
    "storageclasses",
    { provisioner: "a" },
    { parameters: { a: "b" } },
    ["Invalid parameters"],
  ],
  [
    "HorizontalPodAutoscaler: minimum",
    "/apis/autoscaling/v2",
    "horizontalpodautoscalers",
    { spec: { maxReplicas: 3, scaleTargetRef } },
    { spec: { minReplicas: 5 } },
    ["Invalid spec.maxReplicas"],
  ],
  [
    "ResourceQuota: less than nothing",
    ...core("resourcequotas", { hard: { secrets: "100" } }),
    { spec: { hard: { secrets: "-1" } } },
    ["Invalid spec.hard[secrets]"],
  ],
];
