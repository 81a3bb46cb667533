import type { ValidationCase } from "./validation-case.ts";
import { containing, dep, ing, job, limitRange, pod, ss, vol } from "./validation-objects.ts";

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const roleRef = { apiGroup: "", kind: "ClusterRole", name: "r" };
const account = { kind: "ServiceAccount", name: "a" };
const localhost = { type: "Localhost", localhostProfile: "" };
const iscsi = { targetPortal: "10.0.0.1", iqn: "iqn.2001-04.com.example:storage" };

/** What a kube-apiserver lets pass although its documentation asks for more: every object here is accepted, or is the one beside it that is not. */
export const leniencyCases: readonly ValidationCase[] = [
  ["lenient: account without namespace", rbac, "rolebindings", { roleRef, subjects: [account] }, []],
  [
    "lenient: account without namespace in a cluster",
    rbac,
    "clusterrolebindings",
    { roleRef, subjects: [account] },
    ["Required subjects[0].namespace"],
  ],
  [
    "lenient: group of a user",
    rbac,
    "rolebindings",
    { roleRef, subjects: [{ kind: "User", name: "u", apiGroup: "" }] },
    [],
  ],
  ["lenient: driver without spec", "/apis/storage.k8s.io/v1", "csidrivers", {}, []],
  ["lenient: class", "/apis/storage.k8s.io/v1", "storageclasses", { provisioner: "p", reclaimPolicy: "" }, []],
  ["lenient: no limits", "/api/v1", "limitranges", { spec: {} }, []],
  ["lenient: limits of nothing", ...limitRange({ type: "Container" }), []],
  ["lenient: protocol", ...containing({ ports: [{ containerPort: 80, protocol: "" }] }), []],
  ["lenient: null among arguments", ...containing({ args: ["a", null] }), []],
  ["lenient: null among limits", ...containing({ resources: { limits: { memory: null } } }), []],
  [
    "lenient: null among labels",
    "/api/v1",
    "configmaps",
    { metadata: { labels: { a: null }, annotations: { b: null } } },
    [],
  ],
  [
    "lenient: null as selected",
    ...dep({ selector: { matchLabels: { app: null } } }),
    ["Invalid spec.template.metadata.labels"],
  ],
  ["lenient: profile", ...pod({ securityContext: { seccompProfile: localhost } }), []],
  [
    "lenient: profile of AppArmor",
    ...pod({ securityContext: { appArmorProfile: localhost } }),
    ["Required spec.securityContext.appArmorProfile.localhostProfile"],
  ],
  ["lenient: sysctl", ...pod({ securityContext: { sysctls: [{ name: "kernel.shm_rmid_forced" }] } }), []],
  ["lenient: lun", ...vol({ iscsi }), []],
  ["lenient: secret of ScaleIO", ...vol({ scaleIO: { gateway: "g", system: "s", volumeName: "v" } }), []],
  ["lenient: audience", "/apis/storage.k8s.io/v1", "csidrivers", { spec: { tokenRequests: [{ audience: "" }] } }, []],
  ["lenient: limits of other things", ...limitRange({ type: "example.com/a", max: { storage: "1" } }), []],
  [
    "lenient: Service that begins with a digit",
    ...ing({ defaultBackend: { service: { name: "1a", port: { number: 80 } } } }),
    [],
  ],
  ["template: none", "/api/v1", "podtemplates", {}, ["Required template.spec.containers"]],
  [
    "template: image",
    "/api/v1",
    "podtemplates",
    { template: { spec: { containers: [{ name: "c" }] } } },
    ["Required template.spec.containers[0].image"],
  ],
  ["lenient: node without drivers", "/apis/storage.k8s.io/v1", "csinodes", { spec: { drivers: null } }, []],
  ["lenient: node without spec", "/apis/storage.k8s.io/v1", "csinodes", {}, []],
  ["lenient: failure policy", ...job({ podFailurePolicy: {} }), []],
  [
    "lenient: preference",
    ...pod({ affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1 }] } } }),
    [],
  ],
  [
    "lenient: protocol of endpoints",
    "/api/v1",
    "endpoints",
    { subsets: [{ addresses: [{ ip: "10.1.2.3" }], ports: [{ port: 80, protocol: "" }] }] },
    [],
  ],
  [
    "lenient: slice of nothing",
    "/apis/discovery.k8s.io/v1",
    "endpointslices",
    { addressType: "IPv4", endpoints: null, ports: null },
    [],
  ],
  [
    "lenient: retention",
    ...ss({ persistentVolumeClaimRetentionPolicy: { whenDeleted: "", whenScaled: "Delete" } }),
    [],
  ],
  ["lenient: roles that allow nothing", rbac, "roles", { rules: null }, []],
];
