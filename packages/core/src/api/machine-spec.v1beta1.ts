import {
  clusterName,
  kubernetesVersion,
  olderDeletionTimeouts,
  providerID,
  readinessGates,
  taints,
  templateMetadata,
  v1beta1,
} from "@capstan/kit/machines";
import { objectReference, object, optional, string } from "@capstan/schema";
import { failureDomain } from "./failure-domains.ts";

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
      readinessGates: optional(readinessGates(v1beta1)),
      taints: optional(taints()),
      ...olderDeletionTimeouts,
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
