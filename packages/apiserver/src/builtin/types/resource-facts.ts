import type { Verb } from "../../model/types.ts";

/** Discovery information of one built-in resource. Source: Kubernetes 1.36. */
export interface ResourceFacts {
  readonly plural: string;
  readonly kind: string;
  readonly cluster?: true;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Absent: all. */
  readonly verbs?: readonly Verb[];
}

/** The resources of one built-in group version. */
export interface GroupFacts {
  readonly group: string;
  readonly version: string;
  /** Name of its type table. */
  readonly table: string;
  readonly resources: readonly ResourceFacts[];
}

const all = ["all"];
const extensions = ["api-extensions"];
const create: readonly Verb[] = ["create"];
const cluster = true;

/** All built-in groups, in the order of discovery. */
export const builtinGroups: readonly GroupFacts[] = [
  {
    group: "",
    version: "v1",
    table: "core",
    resources: [
      { plural: "bindings", kind: "Binding", verbs: create },
      { plural: "configmaps", kind: "ConfigMap", shortNames: ["cm"] },
      { plural: "endpoints", kind: "Endpoints", shortNames: ["ep"] },
      { plural: "events", kind: "Event", shortNames: ["ev"] },
      { plural: "limitranges", kind: "LimitRange", shortNames: ["limits"] },
      {
        plural: "namespaces",
        kind: "Namespace",
        cluster,
        shortNames: ["ns"],
        verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
      },
      { plural: "nodes", kind: "Node", cluster, shortNames: ["no"] },
      { plural: "persistentvolumeclaims", kind: "PersistentVolumeClaim", shortNames: ["pvc"] },
      { plural: "persistentvolumes", kind: "PersistentVolume", cluster, shortNames: ["pv"] },
      { plural: "pods", kind: "Pod", shortNames: ["po"], categories: all },
      { plural: "podtemplates", kind: "PodTemplate" },
      { plural: "replicationcontrollers", kind: "ReplicationController", shortNames: ["rc"], categories: all },
      { plural: "resourcequotas", kind: "ResourceQuota", shortNames: ["quota"] },
      { plural: "secrets", kind: "Secret" },
      { plural: "serviceaccounts", kind: "ServiceAccount", shortNames: ["sa"] },
      { plural: "services", kind: "Service", shortNames: ["svc"], categories: all },
    ],
  },
  {
    group: "apiregistration.k8s.io",
    version: "v1",
    table: "apiregistration",
    resources: [{ plural: "apiservices", kind: "APIService", cluster, categories: extensions }],
  },
  {
    group: "apps",
    version: "v1",
    table: "apps",
    resources: [
      { plural: "controllerrevisions", kind: "ControllerRevision" },
      { plural: "daemonsets", kind: "DaemonSet", shortNames: ["ds"], categories: all },
      { plural: "deployments", kind: "Deployment", shortNames: ["deploy"], categories: all },
      { plural: "replicasets", kind: "ReplicaSet", shortNames: ["rs"], categories: all },
      { plural: "statefulsets", kind: "StatefulSet", shortNames: ["sts"], categories: all },
    ],
  },
  {
    group: "events.k8s.io",
    version: "v1",
    table: "events",
    resources: [{ plural: "events", kind: "Event", shortNames: ["ev"] }],
  },
  {
    group: "authentication.k8s.io",
    version: "v1",
    table: "authentication",
    resources: [
      { plural: "selfsubjectreviews", kind: "SelfSubjectReview", cluster, verbs: create },
      { plural: "tokenreviews", kind: "TokenReview", cluster, verbs: create },
    ],
  },
  {
    group: "authorization.k8s.io",
    version: "v1",
    table: "authorization",
    resources: [
      { plural: "localsubjectaccessreviews", kind: "LocalSubjectAccessReview", verbs: create },
      { plural: "selfsubjectaccessreviews", kind: "SelfSubjectAccessReview", cluster, verbs: create },
      { plural: "selfsubjectrulesreviews", kind: "SelfSubjectRulesReview", cluster, verbs: create },
      { plural: "subjectaccessreviews", kind: "SubjectAccessReview", cluster, verbs: create },
    ],
  },
  {
    group: "autoscaling",
    version: "v2",
    table: "autoscalingV2",
    resources: [
      { plural: "horizontalpodautoscalers", kind: "HorizontalPodAutoscaler", shortNames: ["hpa"], categories: all },
    ],
  },
  {
    group: "autoscaling",
    version: "v1",
    table: "autoscaling",
    resources: [
      { plural: "horizontalpodautoscalers", kind: "HorizontalPodAutoscaler", shortNames: ["hpa"], categories: all },
    ],
  },
  {
    group: "batch",
    version: "v1",
    table: "batch",
    resources: [
      { plural: "cronjobs", kind: "CronJob", shortNames: ["cj"], categories: all },
      { plural: "jobs", kind: "Job", categories: all },
    ],
  },
  {
    group: "certificates.k8s.io",
    version: "v1",
    table: "certificates",
    resources: [
      { plural: "certificatesigningrequests", kind: "CertificateSigningRequest", cluster, shortNames: ["csr"] },
    ],
  },
  {
    group: "networking.k8s.io",
    version: "v1",
    table: "networking",
    resources: [
      { plural: "ingressclasses", kind: "IngressClass", cluster },
      { plural: "ingresses", kind: "Ingress", shortNames: ["ing"] },
      { plural: "networkpolicies", kind: "NetworkPolicy", shortNames: ["netpol"] },
    ],
  },
  {
    group: "policy",
    version: "v1",
    table: "policy",
    resources: [{ plural: "poddisruptionbudgets", kind: "PodDisruptionBudget", shortNames: ["pdb"] }],
  },
  {
    group: "rbac.authorization.k8s.io",
    version: "v1",
    table: "rbac",
    resources: [
      { plural: "clusterrolebindings", kind: "ClusterRoleBinding", cluster },
      { plural: "clusterroles", kind: "ClusterRole", cluster },
      { plural: "rolebindings", kind: "RoleBinding" },
      { plural: "roles", kind: "Role" },
    ],
  },
  {
    group: "storage.k8s.io",
    version: "v1",
    table: "storage",
    resources: [
      { plural: "csidrivers", kind: "CSIDriver", cluster },
      { plural: "csinodes", kind: "CSINode", cluster },
      { plural: "csistoragecapacities", kind: "CSIStorageCapacity" },
      { plural: "storageclasses", kind: "StorageClass", cluster, shortNames: ["sc"] },
      { plural: "volumeattachments", kind: "VolumeAttachment", cluster },
      { plural: "volumeattributesclasses", kind: "VolumeAttributesClass", cluster, shortNames: ["vac"] },
    ],
  },
  {
    group: "admissionregistration.k8s.io",
    version: "v1",
    table: "admissionregistration",
    resources: [
      {
        plural: "mutatingwebhookconfigurations",
        kind: "MutatingWebhookConfiguration",
        cluster,
        categories: extensions,
      },
      { plural: "validatingadmissionpolicies", kind: "ValidatingAdmissionPolicy", cluster, categories: extensions },
      {
        plural: "validatingadmissionpolicybindings",
        kind: "ValidatingAdmissionPolicyBinding",
        cluster,
        categories: extensions,
      },
      {
        plural: "validatingwebhookconfigurations",
        kind: "ValidatingWebhookConfiguration",
        cluster,
        categories: extensions,
      },
    ],
  },
  {
    group: "apiextensions.k8s.io",
    version: "v1",
    table: "apiextensions",
    resources: [
      {
        plural: "customresourcedefinitions",
        kind: "CustomResourceDefinition",
        cluster,
        shortNames: ["crd", "crds"],
        categories: extensions,
      },
    ],
  },
  {
    group: "scheduling.k8s.io",
    version: "v1",
    table: "scheduling",
    resources: [{ plural: "priorityclasses", kind: "PriorityClass", cluster, shortNames: ["pc"] }],
  },
  {
    group: "coordination.k8s.io",
    version: "v1",
    table: "coordination",
    resources: [{ plural: "leases", kind: "Lease" }],
  },
  {
    group: "node.k8s.io",
    version: "v1",
    table: "node",
    resources: [{ plural: "runtimeclasses", kind: "RuntimeClass", cluster }],
  },
  {
    group: "discovery.k8s.io",
    version: "v1",
    table: "discovery",
    resources: [{ plural: "endpointslices", kind: "EndpointSlice" }],
  },
];

const tables: ReadonlyMap<string, string> = new Map(
  builtinGroups.map(({ group, version, table }) => [group === "" ? version : `${group}/${version}`, table]),
);

/** The type table of a built-in apiVersion. */
export const tableOfGroup = (apiVersion: string): string | undefined => tables.get(apiVersion);
