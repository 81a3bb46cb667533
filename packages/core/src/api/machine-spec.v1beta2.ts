import { object, optional, string } from "@capstan/schema";
import {
  clusterName,
  contractReference,
  deletionTimeouts,
  kubernetesVersion,
  providerID,
  readinessGates,
  seconds,
  taints,
  templateMetadata,
  v1beta2,
} from "@capstan/kit/machines";
import { failureDomain } from "./failure-domains.ts";

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
      readinessGates: optional(readinessGates(v1beta2)),
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
