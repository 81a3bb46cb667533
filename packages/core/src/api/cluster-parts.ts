import { type Strictness, count, kubernetesVersion, versionCounts } from "@capstan/kit/machines";
import { enumOf, list, object, optional, text } from "@capstan/schema";
import type { Node } from "@capstan/schema";

const ranges = (strictness: Strictness, description: string) =>
  object(
    {
      cidrBlocks: list(text(43, "A range of addresses such as 10.0.0.0/16."), {
        description: "Ranges of addresses.",
        maxItems: 100,
        ...strictness.list,
      }),
    },
    { description },
  );

/** `spec.clusterNetwork`. */
export const clusterNetwork = (strictness: Strictness, apiServerPort: Node<number>) =>
  object(
    {
      apiServerPort: optional(apiServerPort),
      services: optional(ranges(strictness, "Addresses of Services.")),
      pods: optional(ranges(strictness, "Addresses of Pods.")),
      serviceDomain: optional(text(253, "DNS domain of Services.")),
    },
    { description: "Network of the Cluster.", ...strictness.object },
  );

/** Counters, versions and upgrade plan of the control plane or the workers. */
export const groupStatus = (who: string) =>
  object(
    {
      desiredReplicas: optional(count(`${who} Machines wanted.`)),
      replicas: optional(count(`${who} Machines that exist.`)),
      upToDateReplicas: optional(count(`${who} Machines that match the desired state.`)),
      readyReplicas: optional(count(`${who} Machines that are Ready.`)),
      availableReplicas: optional(count(`${who} Machines that are Available.`)),
      versions: optional(versionCounts({ maxItems: 32, keyed: false })),
      upgradePlan: optional(
        list(object({ version: kubernetesVersion("Version to upgrade to.") }, { description: "One step." }), {
          description: "Versions still to pass on the way to the wanted one, in order.",
          minItems: 1,
          maxItems: 32,
          type: "atomic",
        }),
      ),
    },
    { description: `Counters of the ${who.toLowerCase()} Machines.` },
  );

export const clusterPhase = () =>
  enumOf(["Pending", "Provisioning", "Provisioned", "Deleting", "Failed", "Unknown"], {
    description: "Summary for people; programs read the conditions.",
  });
