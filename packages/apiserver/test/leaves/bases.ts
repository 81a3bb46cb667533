import { labels, podSpec, sel, tmpl } from "../conformance/validation-objects.ts";

const workload = { spec: { selector: sel, template: tmpl() } };
const url = "https://127.0.0.1:1/";
const hook = {
  name: "a.b.example",
  clientConfig: { url },
  rules: [],
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
};
const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" };
const scaleTarget = { apiVersion: "apps/v1", kind: "Deployment", name: "d" };
const schema = { openAPIV3Schema: { type: "object" } };
const names = { plural: "leaves", singular: "leaf", kind: "Leaf", listKind: "LeafList" };

/** An object of each stored kind that a server accepts, by `group/plural`; kinds without one are only created. */
export const bases: Readonly<Record<string, object>> = {
  "/configmaps": {},
  "/endpoints": {},
  "/limitranges": { spec: { limits: [] } },
  "/namespaces": {},
  "/nodes": {},
  "/persistentvolumeclaims": {
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  },
  "/persistentvolumes": {
    spec: { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" }, hostPath: { path: "/x" } },
  },
  "/pods": { spec: podSpec() },
  "/podtemplates": { template: { spec: podSpec() } },
  "/replicationcontrollers": { spec: { selector: labels, template: tmpl() } },
  "/resourcequotas": { spec: {} },
  "/secrets": {},
  "/serviceaccounts": {},
  "/services": { spec: { ports: [{ port: 80 }] } },
  "apps/controllerrevisions": { revision: 1, data: {} },
  "apps/daemonsets": workload,
  "apps/deployments": workload,
  "apps/replicasets": workload,
  "apps/statefulsets": workload,
  "autoscaling/horizontalpodautoscalers": { spec: { scaleTargetRef: scaleTarget, maxReplicas: 2 } },
  "batch/cronjobs": {
    spec: {
      schedule: "@daily",
      jobTemplate: { spec: { template: { spec: podSpec({ restartPolicy: "Never" }) } } },
    },
  },
  "batch/jobs": { spec: { template: { spec: podSpec({ restartPolicy: "Never" }) } } },
  "coordination.k8s.io/leases": { spec: {} },
  "discovery.k8s.io/endpointslices": { addressType: "IPv4", endpoints: [], ports: [] },
  "networking.k8s.io/ingressclasses": { spec: { controller: "a.example/b" } },
  "networking.k8s.io/ingresses": { spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } } },
  "networking.k8s.io/networkpolicies": { spec: { podSelector: {} } },
  "policy/poddisruptionbudgets": { spec: { selector: sel } },
  "rbac.authorization.k8s.io/clusterrolebindings": { roleRef, subjects: [] },
  "rbac.authorization.k8s.io/clusterroles": { rules: [] },
  "rbac.authorization.k8s.io/rolebindings": { roleRef, subjects: [] },
  "rbac.authorization.k8s.io/roles": { rules: [] },
  "storage.k8s.io/csidrivers": { spec: {} },
  "storage.k8s.io/csinodes": { spec: { drivers: [] } },
  "storage.k8s.io/csistoragecapacities": { storageClassName: "s" },
  "storage.k8s.io/storageclasses": { provisioner: "p" },
  "storage.k8s.io/volumeattachments": { spec: { attacher: "a", nodeName: "n", source: { persistentVolumeName: "v" } } },
  "storage.k8s.io/volumeattributesclasses": { driverName: "d", parameters: { a: "b" } },
  "admissionregistration.k8s.io/mutatingwebhookconfigurations": { webhooks: [hook] },
  "admissionregistration.k8s.io/validatingwebhookconfigurations": { webhooks: [hook] },
  "admissionregistration.k8s.io/validatingadmissionpolicies": {
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: ["x"], apiVersions: ["v1"], resources: ["x"], operations: ["CREATE"] }],
      },
      validations: [{ expression: "true" }],
    },
  },
  "admissionregistration.k8s.io/validatingadmissionpolicybindings": {
    spec: { policyName: "p", validationActions: ["Audit"] },
  },
  "apiextensions.k8s.io/customresourcedefinitions": {
    spec: {
      group: "leaf.capstan.test",
      scope: "Cluster",
      names,
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  },
  "scheduling.k8s.io/priorityclasses": { value: 1 },
  "node.k8s.io/runtimeclasses": { handler: "h" },
};
