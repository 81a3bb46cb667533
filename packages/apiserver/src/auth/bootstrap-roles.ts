import type { KubeObject } from "@capstan/schema";
import type { PolicyRule } from "./rbac-rules.ts";
import { rbacGroup } from "./rbac.ts";
import { controllerRoles } from "./controller-roles.ts";
import { aggregated, binding, clusterBinding, clusterRole, group, paths, role, rule, user } from "./role-objects.ts";

const read = ["get", "list", "watch"] as const;
const write = ["create", "delete", "deletecollection", "patch", "update"] as const;
const workloads = [
  "daemonsets",
  "deployments",
  "deployments/scale",
  "replicasets",
  "replicasets/scale",
  "statefulsets",
  "statefulsets/scale",
];
const connections = ["pods/attach", "pods/exec", "pods/portforward", "pods/proxy", "services/proxy"];
const namespaced = [
  "configmaps",
  "persistentvolumeclaims",
  "pods",
  "replicationcontrollers",
  "serviceaccounts",
  "services",
];

const aggregationLabel = (name: string) => ({ [`${rbacGroup}/aggregate-to-${name}`]: "true" });

const userFacing: readonly KubeObject[] = [
  clusterRole("cluster-admin", [rule(["*"], ["*"], ["*"]), { verbs: ["*"], nonResourceURLs: ["*"] }]),
  aggregated("admin"),
  aggregated("edit", aggregationLabel("admin")),
  aggregated("view", aggregationLabel("edit")),
  clusterRole(
    "system:aggregate-to-admin",
    [
      rule(["create"], ["authorization.k8s.io"], ["localsubjectaccessreviews"]),
      rule([...write, ...read], [rbacGroup], ["rolebindings", "roles"]),
    ],
    aggregationLabel("admin"),
  ),
  clusterRole(
    "system:aggregate-to-edit",
    [
      rule([...write], [""], [...namespaced, ...connections, "secrets", "events"]),
      rule(["create"], [""], ["pods/eviction", "serviceaccounts/token"]),
      rule([...read], [""], [...connections, "secrets"]),
      rule(["impersonate"], [""], ["serviceaccounts"]),
      rule([...write], ["apps"], workloads),
      rule([...write], ["batch"], ["cronjobs", "jobs"]),
      rule([...write], ["policy"], ["poddisruptionbudgets"]),
      rule([...write], ["networking.k8s.io"], ["ingresses", "networkpolicies"]),
      rule([...write, ...read], ["coordination.k8s.io"], ["leases"]),
    ],
    aggregationLabel("edit"),
  ),
  clusterRole(
    "system:aggregate-to-view",
    [
      rule(
        [...read],
        [""],
        [...namespaced, "endpoints", "events", "limitranges", "namespaces", "pods/status", "resourcequotas"],
      ),
      rule([...read], ["apps"], [...workloads, "controllerrevisions"]),
      rule([...read], ["batch"], ["cronjobs", "jobs"]),
      rule([...read], ["policy"], ["poddisruptionbudgets"]),
      rule([...read], ["networking.k8s.io"], ["ingresses", "networkpolicies"]),
      rule([...read], ["discovery.k8s.io"], ["endpointslices"]),
    ],
    aggregationLabel("view"),
  ),
];

const general: readonly KubeObject[] = [
  clusterRole("system:discovery", [
    paths(
      "/api",
      "/api/*",
      "/apis",
      "/apis/*",
      "/healthz",
      "/livez",
      "/openapi",
      "/openapi/*",
      "/readyz",
      "/version",
      "/version/",
    ),
  ]),
  clusterRole("system:basic-user", [
    rule(["create"], ["authorization.k8s.io"], ["selfsubjectaccessreviews", "selfsubjectrulesreviews"]),
    rule(["create"], ["authentication.k8s.io"], ["selfsubjectreviews"]),
  ]),
  clusterRole("system:public-info-viewer", [paths("/healthz", "/livez", "/readyz", "/version", "/version/")]),
  clusterRole("system:service-account-issuer-discovery", [
    paths(
      "/.well-known/openid-configuration",
      "/.well-known/openid-configuration/",
      "/openid/v1/jwks",
      "/openid/v1/jwks/",
    ),
  ]),
  clusterRole("system:auth-delegator", [
    rule(["create"], ["authentication.k8s.io"], ["tokenreviews"]),
    rule(["create"], ["authorization.k8s.io"], ["subjectaccessreviews"]),
  ]),
  clusterRole("system:monitoring", [
    paths("/healthz", "/healthz/*", "/livez", "/livez/*", "/metrics", "/readyz", "/readyz/*"),
    rule(["get"], [""], ["nodes/metrics"]),
  ]),
  clusterBinding("system:monitoring", "system:monitoring", group("system:monitoring")),
  clusterBinding("cluster-admin", "cluster-admin", group("system:masters")),
  clusterBinding("system:discovery", "system:discovery", group("system:authenticated")),
  clusterBinding("system:basic-user", "system:basic-user", group("system:authenticated")),
  clusterBinding(
    "system:public-info-viewer",
    "system:public-info-viewer",
    group("system:authenticated"),
    group("system:unauthenticated"),
  ),
  clusterBinding(
    "system:service-account-issuer-discovery",
    "system:service-account-issuer-discovery",
    group("system:serviceaccounts"),
  ),
];

/** Roles of kubelets, which have them without a binding, narrowed to the objects of their node. */
const nodes: readonly KubeObject[] = [
  clusterRole("system:node", [
    rule(["create", ...read, "patch", "update"], [""], ["nodes"]),
    rule(["patch", "update"], [""], ["nodes/status"]),
    rule(["create", "delete", ...read], [""], ["pods"]),
    rule(["patch", "update"], [""], ["pods/status"]),
    rule(["create"], [""], ["pods/eviction"]),
    rule(["create", "patch", "update"], ["", "events.k8s.io"], ["events"]),
    rule([...read], [""], ["services"]),
    rule(["create", "delete", "get", "patch", "update"], ["coordination.k8s.io"], ["leases"]),
    rule(["create", ...read], ["certificates.k8s.io"], ["certificatesigningrequests"]),
    rule(["create"], ["authentication.k8s.io"], ["tokenreviews"]),
    rule(["create"], ["authorization.k8s.io"], ["localsubjectaccessreviews", "subjectaccessreviews"]),
  ]),
  clusterRole("system:node-bootstrapper", [
    rule(["create", ...read], ["certificates.k8s.io"], ["certificatesigningrequests"]),
  ]),
  clusterRole("system:certificates.k8s.io:certificatesigningrequests:nodeclient", [
    rule(["create"], ["certificates.k8s.io"], ["certificatesigningrequests/nodeclient"]),
  ]),
  clusterRole("system:certificates.k8s.io:certificatesigningrequests:selfnodeclient", [
    rule(["create"], ["certificates.k8s.io"], ["certificatesigningrequests/selfnodeclient"]),
  ]),
  clusterBinding("system:node", "system:node"),
];

const signer = (name: string) => `system:certificates.k8s.io:${name}-approver`;
const approve = (signerName: string): PolicyRule =>
  rule(["approve"], ["certificates.k8s.io"], ["signers"], [signerName]);
const recordEvents = rule(["create", "patch", "update"], ["", "events.k8s.io"], ["events"]);
const reviewAccess = [
  rule(["create"], ["authentication.k8s.io"], ["tokenreviews"]),
  rule(["create"], ["authorization.k8s.io"], ["subjectaccessreviews"]),
];
const authenticationReader = "extension-apiserver-authentication-reader";

/** Roles of the other components of a control plane, and of programs on its nodes. */
const components: readonly KubeObject[] = [
  clusterRole(signer("kube-apiserver-client"), [approve("kubernetes.io/kube-apiserver-client")]),
  clusterRole(signer("kube-apiserver-client-kubelet"), [approve("kubernetes.io/kube-apiserver-client-kubelet")]),
  clusterRole(signer("kubelet-serving"), [approve("kubernetes.io/kubelet-serving")]),
  clusterRole(signer("legacy-unknown"), [approve("kubernetes.io/legacy-unknown")]),
  clusterRole("system:kubelet-api-admin", [
    rule([...read, "proxy"], [""], ["nodes"]),
    rule(
      ["*"],
      [""],
      ["nodes/configz", "nodes/healthz", "nodes/log", "nodes/metrics", "nodes/pods", "nodes/proxy", "nodes/stats"],
    ),
  ]),
  clusterRole("system:node-problem-detector", [
    rule(["get"], [""], ["nodes"]),
    rule(["patch"], [""], ["nodes/status"]),
    recordEvents,
  ]),
  clusterRole("system:node-proxier", [
    rule(["list", "watch"], [""], ["endpoints", "services"]),
    rule([...read], [""], ["nodes"]),
    recordEvents,
    rule(["list", "watch"], ["discovery.k8s.io"], ["endpointslices"]),
  ]),
  clusterBinding("system:node-proxier", "system:node-proxier", user("system:kube-proxy")),
  clusterRole("system:kube-scheduler", [
    recordEvents,
    ...reviewAccess,
    rule(["create"], ["coordination.k8s.io"], ["leases"]),
    rule(["get", "list", "update", "watch"], ["coordination.k8s.io"], ["leases"], ["kube-scheduler"]),
    rule(
      [...read],
      [""],
      ["namespaces", "nodes", "persistentvolumeclaims", "persistentvolumes", "replicationcontrollers", "services"],
    ),
    rule(["delete", ...read], [""], ["pods"]),
    rule(["create"], [""], ["bindings", "pods/binding"]),
    rule(["patch", "update"], [""], ["pods/status"]),
    rule([...read], ["apps"], ["replicasets", "statefulsets"]),
    rule([...read], ["policy"], ["poddisruptionbudgets"]),
    rule([...read], ["storage.k8s.io"], ["csidrivers", "csinodes", "csistoragecapacities", "volumeattachments"]),
  ]),
  clusterBinding("system:kube-scheduler", "system:kube-scheduler", user("system:kube-scheduler")),
  clusterRole("system:volume-scheduler", [
    rule(["get", "list", "patch", "update", "watch"], [""], ["persistentvolumes"]),
    rule([...read], ["storage.k8s.io"], ["storageclasses"]),
    rule(["get", "list", "patch", "update", "watch"], [""], ["persistentvolumeclaims"]),
  ]),
  clusterBinding("system:volume-scheduler", "system:volume-scheduler", user("system:kube-scheduler")),
  clusterRole("system:kube-controller-manager", [
    recordEvents,
    ...reviewAccess,
    rule(["create"], ["coordination.k8s.io"], ["leases"]),
    rule(["get", "update"], ["coordination.k8s.io"], ["leases"], ["kube-controller-manager"]),
    rule(["create", "get", "update"], [""], ["secrets", "serviceaccounts"]),
    rule(["delete"], [""], ["secrets"]),
    rule(["get"], [""], ["configmaps", "namespaces"]),
    rule(["create"], [""], ["serviceaccounts/token"]),
    rule(["list", "watch"], ["*"], ["*"]),
  ]),
  clusterBinding(
    "system:kube-controller-manager",
    "system:kube-controller-manager",
    user("system:kube-controller-manager"),
  ),
  role("kube-system", authenticationReader, [
    rule([...read], [""], ["configmaps"], ["extension-apiserver-authentication"]),
  ]),
  binding(
    "kube-system",
    `system::${authenticationReader}`,
    authenticationReader,
    user("system:kube-controller-manager"),
    user("system:kube-scheduler"),
  ),
];

/** Roles and bindings that every server has; missing ones are created at start. */
export const bootstrapRoles: readonly KubeObject[] = [
  ...userFacing,
  ...general,
  ...nodes,
  ...components,
  ...controllerRoles,
];
