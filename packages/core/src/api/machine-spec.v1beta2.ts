import { object, optional, string } from "@capstan/schema";
import {
  clusterName,
  gates,
  kubernetesVersion,
  providerID,
  seconds,
  taints,
  templateMetadata,
  v1beta2,
} from "./machine-parts.ts";
import { failureDomain } from "./failure-domains.ts";
import { contractReference } from "./references.ts";

/** Timeouts of a Machine's deletion. */
export const deletionTimeouts = {
  nodeDrainTimeoutSeconds: optional(seconds("How long draining may take; 0 or unset is without limit.")),
  nodeVolumeDetachTimeoutSeconds: optional(
    seconds("How long to wait for volumes to be detached; 0 or unset is without limit."),
  ),
  nodeDeletionTimeoutSeconds: optional(
    seconds("How long to try to delete the Node; 10 when unset, 0 is without limit."),
  ),
};

export const readinessGates = () => gates(v1beta2, "Further conditions that must hold for the Machine to be Ready.");

export const minReadySeconds = () => seconds("How long a Machine must be Ready before it counts as available.");

/** The spec of a Machine, of its own or in a template. */
export const machineSpec = () =>
  object(
    {
      clusterName: clusterName(),
      bootstrap: object(
        {
          configRef: optional(contractReference({ description: "The object that makes the bootstrap data." })),
          dataSecretName: optional(
            string({
              description: "Secret with the bootstrap data; empty means that the machine needs none.",
              minLength: 0,
              maxLength: 253,
            }),
          ),
        },
        { description: "How the machine becomes a Node: a reference, or the finished data." },
      ),
      infrastructureRef: contractReference({ description: "The object that provides the machine." }),
      version: optional(kubernetesVersion("Kubernetes version wanted, for example v1.33.4.")),
      providerID: optional(providerID()),
      failureDomain: optional(failureDomain("Failure domain wanted; one of the Cluster's.")),
      minReadySeconds: optional(minReadySeconds()),
      readinessGates: optional(readinessGates()),
      deletion: optional(
        object(deletionTimeouts, { description: "How the Machine is taken down.", ...v1beta2.object }),
      ),
      taints: optional(taints()),
    },
    { description: "The Machine wanted." },
  );

/** The template of the Machines of a MachineSet or MachineDeployment. */
export const machineTemplate = () =>
  object(
    {
      metadata: optional(templateMetadata(v1beta2, "Labels and annotations of the Machines.")),
      spec: machineSpec(),
    },
    { description: "What the Machines are made from." },
  );
