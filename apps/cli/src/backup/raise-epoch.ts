import { isCapstanError } from "@capstan/contract";
import { ClusterResource } from "@capstan/contract/wire";
import type { InstallationFacts } from "@capstan/kit/engine";
import type { Client } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import { identityNamespace, installationAnnotations, installationIn } from "../cluster/installation-epoch.ts";
import type { BackupEntry } from "./backup-file.ts";
import type { RestoreOptions } from "./restore-options.ts";
import { collectionPathOf } from "./api-kinds.ts";

const path = `/api/v1/namespaces/${identityNamespace}`;

const isIdentity = ({ object, plural }: BackupEntry): boolean =>
  plural === "namespaces" && object.apiVersion === "v1" && object.metadata.name === identityNamespace;

/**
 * Who a management API is after a restore: the one that was backed up, unless it has Clusters of another one, to which restored objects are
 * then moved. Its epoch is the time of the restore in seconds since 1970, so that of two copies of one backup the later one counts.
 */
export const restoredInstallation = (
  backedUp: InstallationFacts | undefined,
  target: InstallationFacts & { readonly hasClusters: boolean },
  now: number,
): InstallationFacts => {
  const id = backedUp === undefined || target.hasClusters ? target.id : backedUp.id;
  const before = [backedUp, target].map((each) => (each?.id === id ? each.epoch : 0));
  return { id, epoch: Math.max(Math.floor(now / 1000), ...before.map((epoch) => epoch + 1)) };
};

const hasClusters = async (client: Client, signal: AbortSignal): Promise<boolean> => {
  try {
    const { items } = await client.request<{ readonly items: readonly unknown[] }>({
      method: "GET",
      path: collectionPathOf({ ...ClusterResource, namespaced: true }),
      query: { limit: "1" },
      signal,
    });
    return items.length > 0;
  } catch (error) {
    if (isCapstanError(error, "kube.not_found")) return false;
    throw error;
  }
};

/**
 * Raises the epoch of the installation before anything is restored, so that the one that was backed up notices where both use one cloud
 * account. Returns the entries with what was written.
 */
export const raiseEpoch = async (
  client: Client,
  entries: readonly BackupEntry[],
  { clock, signal }: Pick<RestoreOptions, "clock" | "signal">,
): Promise<readonly BackupEntry[]> => {
  const backedUp = entries.find(isIdentity)?.object;
  const present = await client.request<KubeObject>({ method: "GET", path, signal });
  const before = backedUp === undefined ? undefined : installationIn(backedUp);
  const target = installationIn(present);
  const isSame = before?.id === target.id;
  const others = { ...target, hasClusters: !isSame && (await hasClusters(client, signal)) };
  const annotations = installationAnnotations(restoredInstallation(before, others, clock.now()));
  const headers = { "content-type": "application/merge-patch+json" };
  await client.request({ method: "PATCH", path, headers, body: { metadata: { annotations } }, signal });
  return entries.map((entry) => {
    if (!isIdentity(entry)) return entry;
    const { metadata } = entry.object;
    const merged = { ...metadata, annotations: { ...metadata.annotations, ...annotations } };
    return { ...entry, object: { ...entry.object, metadata: merged } };
  });
};
