import { kubeadmConfigSpec } from "@capstan/bootstrap-kubeadm/spec";
import { clusterNameColumn, controlPlaneScale } from "@capstan/contract/v1";
import {
  contractReference,
  deletionTimeouts,
  deprecatedStatus,
  kubernetesVersion,
  legacyFailure,
  observedGeneration,
  readinessGates,
  replicaCounters,
  scaleSelector,
  seconds,
  statusConditions,
  taints,
  templateMetadata,
  v1beta2,
  versionCounts,
} from "@capstan/kit/machines";
import { boolean, kind, object, optional, time } from "@capstan/schema";
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
import { KubeadmControlPlaneV1Beta1 } from "./kubeadm-control-plane.v1beta1.ts";
import { kubeadmControlPlaneNames } from "./names.ts";

/** When and how Machines are replaced. */
export const rollout = () =>
  object(
    {
      before: optional(rolloutBefore(v1beta2, { minimum: 7 })),
      after: optional(rolloutAfter()),
      strategy: optional(
        object(
          { type: strategyType(), rollingUpdate: optional(rollingUpdate(v1beta2)) },
          { description: "How Machines are replaced.", ...v1beta2.object },
        ),
      ),
    },
    { description: "When and how Machines are replaced.", ...v1beta2.object },
  );

/** Replacement of unhealthy Machines. */
export const remediation = () =>
  object(
    {
      maxRetry: optional(maxRetry()),
      retryPeriodSeconds: optional(seconds("Seconds between retries; 0 when unset.")),
      minHealthyPeriodSeconds: optional(
        seconds("Retries are counted from zero after this time without failure; 3600 when unset."),
      ),
    },
    { description: "How unhealthy Machines are replaced.", ...v1beta2.object },
  );

export const deletion = () =>
  object(deletionTimeouts, { description: "How the Machines are taken down.", ...v1beta2.object });

export const machineMetadata = () => templateMetadata(v1beta2, "Labels and annotations of the Machines.");

const status = () =>
  object(
    {
      conditions: optional(statusConditions()),
      initialization: optional(
        object(
          {
            controlPlaneInitialized: optional(
              boolean({ description: "The API server of the workload cluster answered. Never goes back to false." }),
            ),
          },
          { description: "Steps of the making that happened.", ...v1beta2.object },
        ),
      ),
      selector: optional(scaleSelector()),
      ...replicaCounters,
      version: optional(kubernetesVersion("The lowest Kubernetes version of a Machine.")),
      versions: optional(versionCounts({ maxItems: 100, keyed: true })),
      observedGeneration: optional(observedGeneration()),
      lastRemediation: optional(
        object(
          { ...remediationRecord({ minimum: 0 }), time: time({ description: "When it was replaced." }) },
          { description: "The last Machine that was replaced because it was unhealthy." },
        ),
      ),
      deprecated: optional(deprecatedStatus({ ...olderCounters, ...legacyFailure })),
    },
    { ...v1beta2.object },
  );

export const KubeadmControlPlane = kind({
  ...kubeadmControlPlaneNames,
  version: "v1beta2",
  versions: [KubeadmControlPlaneV1Beta1],
  scale: controlPlaneScale,
  columns: [
    clusterNameColumn,
    { name: "Available", path: '.status.conditions[?(@.type=="Available")].status' },
    { name: "Desired", path: ".spec.replicas", type: "integer" },
    { name: "Current", path: ".status.replicas", type: "integer" },
    { name: "Ready", path: ".status.readyReplicas", type: "integer" },
    { name: "Available", path: ".status.availableReplicas", type: "integer" },
    { name: "Up-to-date", path: ".status.upToDateReplicas", type: "integer" },
    { name: "Paused", path: '.status.conditions[?(@.type=="Paused")].status', priority: 10 },
    { name: "Initialized", path: ".status.initialization.controlPlaneInitialized", type: "boolean" },
    { name: "Age", path: ".metadata.creationTimestamp", type: "date" },
    { name: "Version", path: ".spec.version" },
  ],
  spec: object({
    replicas: optional(replicas()),
    version: kubernetesVersion("Kubernetes version wanted, for example v1.34.1."),
    machineTemplate: object(
      {
        metadata: optional(machineMetadata()),
        spec: object(
          {
            infrastructureRef: contractReference({ description: "The template of the infrastructure machines." }),
            readinessGates: optional(readinessGates(v1beta2)),
            deletion: optional(deletion()),
            taints: optional(taints()),
          },
          { description: "The Machines wanted." },
        ),
      },
      { description: "What the Machines are made from." },
    ),
    kubeadmConfigSpec: optional(kubeadmConfigSpec()),
    rollout: optional(rollout()),
    remediation: optional(remediation()),
    machineNaming: optional(naming(v1beta2)),
  }),
  status: status(),
});

/** One KubeadmControlPlane. */
export type KubeadmControlPlane = typeof KubeadmControlPlane.Type;
