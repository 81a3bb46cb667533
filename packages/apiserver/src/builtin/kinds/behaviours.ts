import type { BuiltinOptions, KindBehaviour } from "./kind-behaviour.ts";
import { kindSchema } from "../types/type-schema.ts";
import { autoscalers } from "./autoscaler.ts";
import { addressRange } from "../../values/address-range.ts";
import { certificateRequests } from "./certificate-request.ts";
import { versioned, withoutGeneration, withStatus } from "./plain-behaviours.ts";
import { priorityClasses } from "./priority-class.ts";
import { storageClasses, storageDrivers, volumeAttachments } from "./storage.ts";
import { configMaps } from "./config-map.ts";
import { disruptionBudgets } from "./disruption-budget.ts";
import { coreEvents, modernEvents } from "./event.ts";
import { ingresses } from "./ingress.ts";
import { cronJobs, jobs } from "./job.ts";
import { leases } from "./lease.ts";
import { limitRanges } from "./limit-range.ts";
import { namespaces } from "./namespace.ts";
import { endpoints, endpointSlices } from "./endpoints.ts";
import { networkPolicies } from "./network-policy.ts";
import { nodes } from "./node.ts";
import { bindPod } from "./pod-binding.ts";
import { pods } from "./pod.ts";
import { clusterRoleBindings, clusterRoles, roleBindings, roles } from "./rbac.ts";
import { resourceQuotas } from "./resource-quota.ts";
import { apiServiceKind } from "./api-service.ts";
import { secrets } from "./secret.ts";
import { services } from "./service.ts";
import {
  admissionPolicies,
  admissionPolicyBindings,
  mutatingWebhooks,
  validatingWebhooks,
} from "./webhook-configuration.ts";
import {
  daemonSets,
  deployments,
  podTemplates,
  replicaSets,
  replicationControllers,
  statefulSets,
} from "./workloads.ts";
import { claims, volumes } from "./volumes.ts";

const defaultServiceCidr = "10.0.0.0/24";

const serviceAccounts = ({ issueToken }: BuiltinOptions): KindBehaviour => ({
  strategy: { generation: false, unconditionalUpdate: true },
  subresources: [
    {
      name: "token",
      verbs: ["create"],
      kind: { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" },
      get schema() {
        return kindSchema("authentication", "TokenRequest");
      },
      behaviour: issueToken === undefined ? { type: "absent" } : { type: "action", act: issueToken },
    },
  ],
});

/** Behaviours by `group/plural`. */
export const behaviours = (options: BuiltinOptions): Readonly<Record<string, KindBehaviour>> => ({
  "/bindings": { virtual: { create: bindPod } },
  "/configmaps": configMaps,
  "/endpoints": endpoints,
  "/events": coreEvents,
  "/limitranges": limitRanges,
  "/namespaces": namespaces,
  "/nodes": nodes,
  "/persistentvolumeclaims": claims,
  "/persistentvolumes": volumes,
  "/pods": pods(options),
  "/podtemplates": podTemplates,
  "/replicationcontrollers": replicationControllers,
  "/resourcequotas": resourceQuotas,
  "/secrets": secrets,
  "/serviceaccounts": serviceAccounts(options),
  "/services": services(addressRange(options.serviceCidr ?? defaultServiceCidr)),
  "admissionregistration.k8s.io/mutatingwebhookconfigurations": mutatingWebhooks,
  "admissionregistration.k8s.io/validatingadmissionpolicies": admissionPolicies,
  "admissionregistration.k8s.io/validatingadmissionpolicybindings": admissionPolicyBindings,
  "admissionregistration.k8s.io/validatingwebhookconfigurations": validatingWebhooks,
  "apiextensions.k8s.io/customresourcedefinitions": { subresources: withStatus.subresources ?? [] },
  "apiregistration.k8s.io/apiservices": apiServiceKind,
  "apps/controllerrevisions": withoutGeneration,
  "apps/daemonsets": daemonSets,
  "apps/deployments": deployments,
  "apps/replicasets": replicaSets,
  "apps/statefulsets": statefulSets,
  "autoscaling/horizontalpodautoscalers": autoscalers,
  "batch/cronjobs": cronJobs,
  "batch/jobs": jobs,
  "certificates.k8s.io/certificatesigningrequests": certificateRequests,
  "coordination.k8s.io/leases": leases,
  "discovery.k8s.io/endpointslices": endpointSlices,
  "events.k8s.io/events": modernEvents,
  "networking.k8s.io/ingresses": ingresses,
  "networking.k8s.io/networkpolicies": networkPolicies,
  "networking.k8s.io/ingressclasses": { strategy: { unconditionalUpdate: true } },
  "node.k8s.io/runtimeclasses": versioned,
  "policy/poddisruptionbudgets": disruptionBudgets,
  "rbac.authorization.k8s.io/clusterrolebindings": clusterRoleBindings,
  "rbac.authorization.k8s.io/clusterroles": clusterRoles,
  "rbac.authorization.k8s.io/rolebindings": roleBindings,
  "rbac.authorization.k8s.io/roles": roles,
  "scheduling.k8s.io/priorityclasses": priorityClasses,
  "storage.k8s.io/csidrivers": storageDrivers,
  "storage.k8s.io/csinodes": versioned,
  "storage.k8s.io/csistoragecapacities": versioned,
  "storage.k8s.io/storageclasses": storageClasses,
  "storage.k8s.io/volumeattachments": volumeAttachments,
  "storage.k8s.io/volumeattributesclasses": withoutGeneration,
});
