import { duration, objectReference, object, optional, string } from "@capstan/schema";
import { failureDomain } from "./failure-domains.ts";
import {
  clusterName,
  gates,
  kubernetesVersion,
  providerID,
  taints,
  templateMetadata,
  v1beta1,
} from "./machine-parts.ts";

/** Timeouts of a Machine's deletion, as Go durations. */
export const deletionTimeouts = {
  nodeDrainTimeout: optional(duration({ description: "How long draining may take; 0s or unset is without limit." })),
  nodeVolumeDetachTimeout: optional(
    duration({ description: "How long to wait for volumes to be detached; 0s or unset is without limit." }),
  ),
  nodeDeletionTimeout: optional(
    duration({ description: "How long to try to delete the Node; 10s when unset, 0s is without limit." }),
  ),
};

export const readinessGates = () => gates(v1beta1, "Further conditions that must hold for the Machine to be Ready.");

/** The spec of a Machine, of its own or in a template. */
export const machineSpec = () =>
  object(
    {
      clusterName: clusterName(),
      bootstrap: object(
        {
          configRef: optional(objectReference({ description: "The object that makes the bootstrap data." })),
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
      infrastructureRef: objectReference({ description: "The object that provides the machine." }),
      version: optional(kubernetesVersion("Kubernetes version wanted, for example v1.33.4.")),
      providerID: optional(providerID()),
      failureDomain: optional(failureDomain("Failure domain of the machine.")),
      readinessGates: optional(readinessGates()),
      taints: optional(taints()),
      ...deletionTimeouts,
    },
    { description: "The Machine wanted." },
  );

/** The template of the Machines of a MachineSet or MachineDeployment. */
export const machineTemplate = () =>
  object(
    {
      metadata: optional(templateMetadata(v1beta1, "Labels and annotations of the Machines.")),
      spec: optional(machineSpec()),
    },
    { description: "What the Machines are made from." },
  );
