import { Group, Label } from "@capstan/contract";
import { cluster as clusterFields, ClusterResource, readReference } from "@capstan/contract/wire";
import { byText, groupOf } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import type { Found, World } from "./world.ts";

/** Infrastructure clusters, by the Clusters and the machines that have them. */
export interface InfraClusters {
  /**
   * Returns the infrastructure cluster of machines of a kind: the one that the Cluster refers to, or one of the
   * machines' own kind alongside it.
   */
  of(cluster: { readonly name: string; readonly namespace: string }, machine: KubeObject | undefined): Promise<Found>;
  /** Those that stand beside what their Cluster refers to, and that machines were found to have. */
  readonly additional: () => readonly Found[];
}

const nothing: Found = { before: undefined, after: undefined };

export const infraClusters = (world: World): InfraClusters => {
  const additional = new Map<string, Found>();
  return {
    of: async ({ name, namespace }, machine) => {
      const { after } = await world.find({ apiGroup: Group.core, kind: ClusterResource.kind, name }, namespace);
      const reference = after === undefined ? undefined : readReference(after, clusterFields.infrastructureRefPath);
      const referred = reference === undefined ? nothing : await world.find(reference, namespace);
      const kind = machine?.kind.replace(/Machine(?:Pool)?$/, "Cluster");
      if (machine === undefined || kind === undefined || reference?.kind === kind) return referred;
      const [beside] = (await world.list({ group: groupOf(machine.apiVersion), kind }))
        .filter(
          ({ after: { metadata } }) =>
            metadata.namespace === namespace && metadata.labels?.[Label.clusterName] === name,
        )
        .toSorted((left, right) => byText(left.after.metadata.name ?? "", right.after.metadata.name ?? ""));
      if (beside === undefined) return referred;
      additional.set(`${kind}/${namespace}/${beside.after.metadata.name}`, beside);
      return beside;
    },
    additional: () => [...additional.values()],
  };
};
