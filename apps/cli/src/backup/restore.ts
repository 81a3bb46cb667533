import { CapstanError, isCapstanError } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import { countNoun } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import type { Backup, BackupEntry } from "./backup-file.ts";
import { carryReferenceMarks } from "./carry-reference-marks.ts";
import { pauseClusters, resumeClusters } from "./paused-clusters.ts";
import { raiseEpoch } from "./raise-epoch.ts";
import { restoreAnew } from "./restore-anew.ts";
import { restoreAsWas } from "./restore-as-was.ts";
import type { Present, Restored, RestoreOptions } from "./restore-options.ts";
import { inOrder, isMadeByCluster, isMadeByServer, nameOf, pathOf } from "./restore-plan.ts";

const canKeepUids = async (client: Client, signal: AbortSignal): Promise<boolean> => {
  try {
    await client.request({ method: "GET", path: "/capstan/v1/restore", signal });
    return true;
  } catch (error) {
    if (isCapstanError(error, "kube.not_found") || isCapstanError(error, "kube.forbidden")) return false;
    throw error;
  }
};

interface Target {
  /** Everything there that the backup holds too. */
  readonly present: Present;
  /** Kinds that are not served there, as `kindOf` names them. */
  readonly unserved: ReadonlySet<string>;
}

const kindOf = ({ object, plural }: BackupEntry): string => `${object.apiVersion}/${plural}`;

const readTarget = async (client: Client, entries: readonly BackupEntry[], signal: AbortSignal): Promise<Target> => {
  const unserved = new Set<string>();
  const present = new Map<string, { readonly uid: string }>();
  const wanted = new Set(entries.map(nameOf));
  const kinds = new Map(entries.map((entry) => [kindOf(entry), entry]));
  for (const [kind, entry] of kinds) {
    const found = await listOf(client, pathOf({ ...entry, namespaced: false }), signal);
    if (found === undefined) unserved.add(kind);
    for (const item of found?.items ?? []) {
      const name = nameOf({ ...entry, object: { ...item, apiVersion: entry.object.apiVersion } });
      if (wanted.has(name)) present.set(name, { uid: item.metadata.uid ?? "" });
    }
  }
  return { present, unserved };
};

/** Returns `undefined` for a kind that is not served. */
const listOf = async (
  client: Client,
  path: string,
  signal: AbortSignal,
): Promise<{ readonly items: readonly KubeObject[] } | undefined> => {
  try {
    return await client.request({ method: "GET", path, signal });
  } catch (error) {
    if (isCapstanError(error, "kube.not_found")) return undefined;
    throw error;
  }
};

const notEmpty = (conflicts: readonly BackupEntry[]): CapstanError =>
  new CapstanError({
    code: "restore.target_not_empty",
    reason: "TargetNotEmpty",
    message: [
      `the target already has ${countNoun(conflicts.length, "object")} of the backup; nothing was changed. Use an empty target, or --merge to keep existing objects and add missing ones`,
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
  const carried = keptUids ? backup.entries : backup.entries.filter((entry) => !isMadeByCluster(entry));
  const { present, unserved } = await readTarget(client, carried, signal);
  // What a server makes by itself is of no use to one that has no such kinds.
  const wanted = carried.filter((entry) => !isMadeByServer(entry) || !unserved.has(kindOf(entry)));
  const ordered = inOrder(wanted);
  const conflicts = ordered.filter((entry) => present.has(nameOf(entry)) && !isMadeByServer(entry));
  if (options.existing === "refuse" && conflicts.length > 0) throw notEmpty(conflicts);
  const marked = await raiseEpoch(client, ordered, options);
  const admitted = await carryReferenceMarks(client, marked, options);
  const entries = options.live ? pauseClusters(admitted) : admitted;
  const outcome = await (keptUids ? restoreAsWas : restoreAnew)(client, { backup, entries, present }, options);
  if (options.live) await resumeClusters(client, entries, signal);
  return { ...outcome, keptUids, skipped: backup.entries.length - wanted.length };
};
