import { ClusterResource } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import type { BackupEntry } from "./backup-file.ts";
import { groupOf, itemPathOf } from "./restore-plan.ts";

/** On a Cluster that is paused because its objects are not all there yet; holds whether it was paused before. */
const annotation = "capstan.dev/restore-paused";

const isCluster = ({ object }: BackupEntry): boolean =>
  object.kind === ClusterResource.kind && groupOf(object) === ClusterResource.group;

const specOf = (object: KubeObject) => (object["spec"] ?? {}) as { readonly paused?: boolean };

/** The entries with every Cluster paused, so that controllers leave its objects alone. */
export const pauseClusters = (entries: readonly BackupEntry[]): readonly BackupEntry[] =>
  entries.map((entry) => {
    if (!isCluster(entry)) return entry;
    const { metadata } = entry.object;
    const spec = specOf(entry.object);
    const annotations = { ...metadata.annotations, [annotation]: String(spec.paused === true) };
    return {
      ...entry,
      object: { ...entry.object, metadata: { ...metadata, annotations }, spec: { ...spec, paused: true } },
    };
  });

/** Lets the Clusters continue that `pauseClusters` paused, also in a run that was interrupted. */
export const resumeClusters = async (
  client: Client,
  entries: readonly BackupEntry[],
  signal: AbortSignal,
): Promise<void> => {
  for (const entry of entries.filter(isCluster)) {
    const path = itemPathOf(entry);
    const { metadata } = await client.request<KubeObject>({ method: "GET", path, signal });
    const before = metadata.annotations?.[annotation];
    if (before === undefined) continue;
    const body = {
      metadata: { annotations: { [annotation]: null } },
      spec: { paused: before === "true" ? true : null },
    };
    const headers = { "content-type": "application/merge-patch+json" };
    await client.request({ method: "PATCH", path, headers, body, signal });
  }
};
