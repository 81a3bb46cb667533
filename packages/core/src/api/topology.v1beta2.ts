import {
  clusterClassReference,
  deletionTimeouts,
  desiredCount,
  dnsName,
  kubernetesVersion,
  readinessGates,
  taints,
  templateMetadata,
  v1beta2,
} from "@capstan/kit/machines";
import { boolean, list, object, optional } from "@capstan/schema";
import { failureDomain } from "./failure-domains.ts";
import { healthChecks, remediation } from "./health-check-parts.ts";
import { deletionOrder } from "./machine-set.v1beta2.ts";
import { minReadySeconds } from "./machine-spec.v1beta2.ts";
import { maxInFlight, rollout, rolloutAfter } from "./rollout.v1beta2.ts";
import { className, overrides, placement, variables, workerGroups } from "./topology-parts.ts";

const metadata = () => templateMetadata(v1beta2, "Labels and annotations for the objects and their Machines.");

const healthCheck = <const F extends Parameters<typeof remediation>[0]>(remediationFields: F) =>
  object(
    {
      enabled: optional(boolean({ description: "Overrules whether the class asks for a health check." })),
      checks: optional(healthChecks()),
      remediation: optional(remediation(remediationFields)),
    },
    { description: "Health check of the Machines; replaces that of the class.", ...v1beta2.object },
  );

const controlPlane = () =>
  object(
    {
      metadata: optional(metadata()),
      replicas: optional(desiredCount("Control plane Machines wanted.")),
      rollout: optional(
        object({ after: optional(rolloutAfter()) }, { description: "When Machines are replaced.", ...v1beta2.object }),
      ),
      healthCheck: optional(healthCheck({})),
      deletion: optional(object(deletionTimeouts, { description: "How Machines are taken down.", ...v1beta2.object })),
      readinessGates: optional(readinessGates(v1beta2)),
      taints: optional(taints()),
      variables: optional(overrides(v1beta2)),
    },
    { description: "The control plane.", ...v1beta2.object },
  );

const groupName = () => dnsName("Name of the group, unique in the Cluster.", 63);

const machineDeployments = () =>
  list(
    object(
      {
        metadata: optional(metadata()),
        class: className(),
        name: groupName(),
        failureDomain: optional(failureDomain("Failure domain for the machines.")),
        replicas: optional(desiredCount("Machines wanted.")),
        healthCheck: optional(healthCheck({ maxInFlight: optional(maxInFlight()) })),
        deletion: optional(
          object(
            { ...deletionTimeouts, order: optional(deletionOrder()) },
            { description: "How Machines are taken down.", ...v1beta2.object },
          ),
        ),
        minReadySeconds: optional(minReadySeconds()),
        readinessGates: optional(readinessGates(v1beta2)),
        taints: optional(taints()),
        rollout: optional(rollout()),
        variables: optional(overrides(v1beta2)),
      },
      { description: "One group of workers." },
    ),
    workerGroups(v1beta2, "Groups of workers kept by MachineDeployments."),
  );

const machinePools = () =>
  list(
    object(
      {
        metadata: optional(metadata()),
        class: className(),
        name: groupName(),
        failureDomains: optional(placement(v1beta2)),
        deletion: optional(
          object(deletionTimeouts, { description: "How Machines are taken down.", ...v1beta2.object }),
        ),
        taints: optional(taints()),
        minReadySeconds: optional(minReadySeconds()),
        replicas: optional(desiredCount("Machines wanted.")),
        variables: optional(overrides(v1beta2)),
      },
      { description: "One group of workers." },
    ),
    workerGroups(v1beta2, "Groups of workers kept by MachinePools."),
  );

/** `spec.topology` of a Cluster that follows a ClusterClass. */
export const topology = () =>
  object(
    {
      classRef: clusterClassReference(),
      version: kubernetesVersion("Kubernetes version of the whole Cluster."),
      controlPlane: optional(controlPlane()),
      workers: optional(
        object(
          { machineDeployments: optional(machineDeployments()), machinePools: optional(machinePools()) },
          { description: "The workers.", ...v1beta2.object },
        ),
      ),
      variables: optional(variables(v1beta2, "Values of the variables of the class.")),
    },
    { description: "Makes the Cluster follow a ClusterClass, which then keeps all its objects." },
  );
