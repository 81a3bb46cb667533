import { CapstanError, isCapstanError } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import type { Backup, BackupEntry } from "./backup-file.ts";
import { pauseClusters, resumeClusters } from "./paused-clusters.ts";
import { restoreAnew } from "./restore-anew.ts";
import { restoreAsWas } from "./restore-as-was.ts";
import type { Present, Restored, RestoreOptions } from "./restore-options.ts";
import { inOrder, isMadeByCluster, isMadeByServer, nameOf, pathOf } from "./restore-plan.ts";
import { counted } from "../counted.ts";

const canKeepUids = async (client: Client, signal: AbortSignal): Promise<boolean> => {
  try {
    await client.request({ method: "GET", path: "/capstan/v1/restore", signal });
    return true;
  } catch (error) {
    if (isCapstanError(error, "kube.not_found") || isCapstanError(error, "kube.forbidden")) return false;
    throw error;
  }
};

/** Everything at the target that the backup holds too. */
const presentAt = async (client: Client, entries: readonly BackupEntry[], signal: AbortSignal): Promise<Present> => {
  const present = new Map<string, { readonly uid: string }>();
  const wanted = new Set(entries.map(nameOf));
  const kinds = new Map(entries.map((entry) => [`${entry.object.apiVersion}/${entry.plural}`, entry]));
  for (const entry of kinds.values()) {
    const { items } = await listOf(client, pathOf({ ...entry, namespaced: false }), signal);
    for (const item of items) {
      const name = nameOf({ ...entry, object: { ...item, apiVersion: entry.object.apiVersion } });
      if (wanted.has(name)) present.set(name, { uid: item.metadata.uid ?? "" });
    }
  }
  return present;
};

const listOf = async (
  client: Client,
  path: string,
  signal: AbortSignal,
): Promise<{ readonly items: readonly KubeObject[] }> => {
  try {
    return await client.request({ method: "GET", path, signal });
  } catch (error) {
    if (isCapstanError(error, "kube.not_found")) return { items: [] };
    throw error;
  }
};

const notEmpty = (conflicts: readonly BackupEntry[]): CapstanError =>
  new CapstanError({
    code: "restore.target_not_empty",
    reason: "TargetNotEmpty",
    message: [
      `the target holds ${counted(conflicts.length, "object")} of the backup already; nothing was changed. Use an empty target, or --merge to keep what is there and add what is missing`,
      ...conflicts.slice(0, 5).map(nameOf),
    ].join("\n  "),
    retry: { kind: "never" },
  });

/**
 * Writes a backup to a server: status, finalizers and ownership with every object. A `capstan` server takes objects with the uids
 * they had; at any other they get new ones, to which ownership is carried over. Throws `restore.target_not_empty` or `restore.refused`.
 */
export const restore = async (client: Client, backup: Backup, options: RestoreOptions): Promise<Restored> => {
  const { signal } = options;
  const keptUids = options.keepUids ?? (await canKeepUids(client, signal));
  const wanted = keptUids ? backup.entries : backup.entries.filter((entry) => !isMadeByCluster(entry));
  const ordered = inOrder(wanted);
  const present = await presentAt(client, ordered, signal);
  const conflicts = ordered.filter((entry) => present.has(nameOf(entry)) && !isMadeByServer(entry));
  if (options.existing === "refuse" && conflicts.length > 0) throw notEmpty(conflicts);
  const entries = options.live ? pauseClusters(ordered) : ordered;
  const outcome = await (keptUids ? restoreAsWas : restoreAnew)(client, { backup, entries, present }, options);
  if (options.live) await resumeClusters(client, entries, signal);
  return { ...outcome, keptUids, skipped: backup.entries.length - wanted.length };
};
