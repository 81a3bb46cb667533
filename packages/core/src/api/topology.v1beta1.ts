import {
  desiredCount,
  kubernetesVersion,
  namespaceName,
  olderDeletionTimeouts,
  readinessGates,
  taints,
  templateMetadata,
  v1beta1,
} from "@capstan/kit/machines";
import { boolean, int32, list, object, optional, text, time } from "@capstan/schema";
import { failureDomain } from "./failure-domains.ts";
import { flatHealthCheck } from "./health-check-parts.ts";
import { minReadySeconds } from "./machine-set.v1beta1.ts";
import { strategy } from "./rollout.v1beta1.ts";
import { rolloutAfter } from "./rollout.v1beta2.ts";
import { className, overrides, placement, variables, workerGroups } from "./topology-parts.ts";

const metadata = () => templateMetadata(v1beta1, "Labels and annotations for the objects and their Machines.");

const machineHealthCheck = () =>
  object(
    {
      enable: optional(boolean({ description: "Overrules whether the class asks for a health check." })),
      ...flatHealthCheck(),
    },
    { description: "Health check of the Machines; replaces that of the class." },
  );

const rollout = () =>
  object({ after: optional(rolloutAfter()) }, { description: "When Machines are replaced.", minProperties: 1 });

const controlPlane = () =>
  object(
    {
      metadata: optional(metadata()),
      replicas: optional(desiredCount("Control plane Machines wanted.")),
      rollout: optional(rollout()),
      machineHealthCheck: optional(machineHealthCheck()),
      ...olderDeletionTimeouts,
      readinessGates: optional(readinessGates(v1beta1)),
      taints: optional(taints()),
      variables: optional(overrides(v1beta1)),
    },
    { description: "The control plane." },
  );

const groupName = () => text(63, "Name of the group, unique in the Cluster.");

const machineDeployments = () =>
  list(
    object(
      {
        metadata: optional(metadata()),
        class: className(),
        name: groupName(),
        failureDomain: optional(failureDomain("Failure domain for the machines.")),
        replicas: optional(desiredCount("Machines wanted.")),
        machineHealthCheck: optional(machineHealthCheck()),
        ...olderDeletionTimeouts,
        minReadySeconds: optional(minReadySeconds()),
        readinessGates: optional(readinessGates(v1beta1)),
        taints: optional(taints()),
        rollout: optional(rollout()),
        strategy: optional(strategy()),
        variables: optional(overrides(v1beta1)),
      },
      { description: "One group of workers." },
    ),
    workerGroups(v1beta1, "Groups of workers kept by MachineDeployments."),
  );

const machinePools = () =>
  list(
    object(
      {
        metadata: optional(metadata()),
        class: className(),
        name: groupName(),
        failureDomains: optional(placement(v1beta1)),
        ...olderDeletionTimeouts,
        taints: optional(taints()),
        minReadySeconds: optional(int32({ description: "How long a Node must be ready to count as available." })),
        replicas: optional(desiredCount("Machines wanted.")),
        variables: optional(overrides(v1beta1)),
      },
      { description: "One group of workers." },
    ),
    workerGroups(v1beta1, "Groups of workers kept by MachinePools."),
  );

/** `spec.topology` of a Cluster that follows a ClusterClass. */
export const topology = () =>
  object(
    {
      class: text(253, "Name of the ClusterClass."),
      classNamespace: optional(namespaceName("Namespace of the ClusterClass; the Cluster's own by default.")),
      version: kubernetesVersion("Kubernetes version of the whole Cluster."),
      rolloutAfter: optional(time({ description: "Not used any more." })),
      controlPlane: optional(controlPlane()),
      workers: optional(
        object(
          { machineDeployments: optional(machineDeployments()), machinePools: optional(machinePools()) },
          { description: "The workers." },
        ),
      ),
      variables: optional(variables(v1beta1, "Values of the variables of the class.")),
    },
    { description: "Makes the Cluster follow a ClusterClass, which then keeps all its objects." },
  );
