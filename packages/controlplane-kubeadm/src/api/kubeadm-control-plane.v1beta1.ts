import { kubeadmConfigSpecV1Beta1 } from "@capstan/bootstrap-kubeadm/spec";
import { clusterNameColumn, controlPlaneScale } from "@capstan/contract/v1";
import {
  count,
  kubernetesVersion,
  legacyFailure,
  looseObservedGeneration,
  newerStatus,
  olderDeletionTimeouts,
  readinessGates,
  scaleSelector,
  taints,
  templateMetadata,
  v1beta1,
  versionCounts,
} from "@capstan/kit/machines";
import {
  boolean,
  defaulted,
  duration,
  kind,
  legacyConditions,
  object,
  objectReference,
  optional,
  time,
} from "@capstan/schema";
import {
  maxRetry,
  naming,
  olderCounters,
  remediationRecord,
  replicas,
  rollingUpdate,
  rolloutAfter,
  rolloutBefore,
  strategyType,
} from "./control-plane-parts.ts";
import { kubeadmControlPlaneNames } from "./names.ts";

/** Triggers of a rollout, and its strategy. */
export const rolloutFields = () => ({
  rolloutBefore: optional(rolloutBefore(v1beta1, {})),
  rolloutAfter: optional(rolloutAfter()),
  rolloutStrategy: defaulted(
    object(
      { type: optional(strategyType()), rollingUpdate: optional(rollingUpdate(v1beta1)) },
      { description: "How Machines are replaced." },
    ),
    { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } },
  ),
});

/** Replacement of unhealthy Machines. */
export const remediationStrategy = () =>
  object(
    {
      maxRetry: optional(maxRetry()),
      retryPeriod: optional(duration({ description: "Time between retries; 0s when unset." })),
      minHealthyPeriod: optional(
        duration({ description: "Retries are counted from zero after this time without failure; 1h when unset." }),
      ),
    },
    { description: "How unhealthy Machines are replaced." },
  );

export const machineMetadata = () => templateMetadata(v1beta1, "Labels and annotations of the Machines.");

export const KubeadmControlPlaneV1Beta1 = kind({
  ...kubeadmControlPlaneNames,
  version: "v1beta1",
  storage: false,
  deprecated: true,
  scale: controlPlaneScale,
  columns: [
    clusterNameColumn,
    { name: "Initialized", path: ".status.initialized", type: "boolean" },
    { name: "API Server Available", path: ".status.ready", type: "boolean" },
    { name: "Desired", path: ".spec.replicas", type: "integer", priority: 10 },
    { name: "Replicas", path: ".status.replicas", type: "integer" },
    { name: "Ready", path: ".status.readyReplicas", type: "integer" },
    { name: "Updated", path: ".status.updatedReplicas", type: "integer" },
    { name: "Unavailable", path: ".status.unavailableReplicas", type: "integer" },
    { name: "Age", path: ".metadata.creationTimestamp", type: "date" },
    { name: "Version", path: ".spec.version" },
  ],
  spec: optional(
    object({
      replicas: optional(replicas()),
      version: kubernetesVersion("Kubernetes version wanted, for example v1.34.1."),
      machineTemplate: object(
        {
          metadata: optional(machineMetadata()),
          infrastructureRef: objectReference({ description: "The template of the infrastructure machines." }),
          readinessGates: optional(readinessGates(v1beta1)),
          taints: optional(taints()),
          ...olderDeletionTimeouts,
        },
        { description: "What the Machines are made from." },
      ),
      kubeadmConfigSpec: kubeadmConfigSpecV1Beta1(),
      ...rolloutFields(),
      remediationStrategy: optional(remediationStrategy()),
      machineNamingStrategy: optional(naming(v1beta1)),
    }),
  ),
  status: object({
    selector: optional(scaleSelector()),
    replicas: optional(count("Machines that exist.")),
    ...olderCounters,
    version: optional(kubernetesVersion("The lowest Kubernetes version of a Machine.")),
    versions: optional(versionCounts({ maxItems: 100, keyed: true })),
    initialized: optional(boolean({ description: "The API server of the workload cluster answered." })),
    ready: optional(boolean({ description: "The API server of the workload cluster serves." })),
    ...legacyFailure,
    observedGeneration: optional(looseObservedGeneration()),
    conditions: optional(legacyConditions()),
    lastRemediation: optional(
      object(
        { ...remediationRecord({}), timestamp: time({ description: "When it was replaced." }) },
        { description: "The last Machine that was replaced because it was unhealthy." },
      ),
    ),
    v1beta2: optional(
      newerStatus({
        readyReplicas: optional(count("Machines that are Ready.")),
        availableReplicas: optional(count("Machines that are Available.")),
        upToDateReplicas: optional(count("Machines that match the desired state.")),
      }),
    ),
  }),
});

/** One KubeadmControlPlane in API version v1beta1. */
export type KubeadmControlPlaneV1Beta1 = typeof KubeadmControlPlaneV1Beta1.Type;
