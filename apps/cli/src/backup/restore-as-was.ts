import type { Client } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import type { BackupEntry } from "./backup-file.ts";
import { refused, type Outcome, type Present, type RestoreOptions, type RestorePlan } from "./restore-options.ts";
import { isDefinition, nameOf } from "./restore-plan.ts";

const batchBytes = 1024 * 1024;

interface Answer {
  readonly results: readonly {
    readonly outcome: "created" | "replaced" | "kept" | "refused";
    readonly message?: string;
  }[];
}

/** Owners that are there already keep the uid they have there. */
const withPresentOwners = (object: KubeObject, uids: ReadonlyMap<string, string>): KubeObject => {
  const owners = object.metadata.ownerReferences;
  if (owners === undefined || !owners.some(({ uid }) => uids.has(uid))) return object;
  const ownerReferences = owners.map((owner) => ({ ...owner, uid: uids.get(owner.uid) ?? owner.uid }));
  return { ...object, metadata: { ...object.metadata, ownerReferences } };
};

const otherUids = (entries: readonly BackupEntry[], present: Present): ReadonlyMap<string, string> =>
  new Map(
    entries.flatMap((entry) => {
      const there = present.get(nameOf(entry));
      const { uid = "" } = entry.object.metadata;
      return there === undefined || there.uid === uid ? [] : [[uid, there.uid] as const];
    }),
  );

/** Definitions come in a batch of their own: what they define is served when it is answered. */
const batches = function* (entries: readonly BackupEntry[]): Generator<readonly BackupEntry[]> {
  let batch: BackupEntry[] = [];
  let size = 0;
  for (const entry of entries) {
    const length = JSON.stringify(entry.object).length;
    const isOtherSort = batch.length > 0 && isDefinition(entry) !== isDefinition(batch[0]!);
    if (isOtherSort || (size + length > batchBytes && batch.length > 0)) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(entry);
    size += length;
  }
  if (batch.length > 0) yield batch;
};

/** Restores at a `capstan` server: every object at once as it was, uid included. */
export const restoreAsWas = async (
  client: Client,
  { backup, entries, present }: RestorePlan,
  { existing, signal }: RestoreOptions,
): Promise<Outcome> => {
  const uids = existing === "replace" ? new Map<string, string>() : otherUids(entries, present);
  const counts = { created: 0, replaced: 0, kept: 0, refused: 0 };
  const refusals: string[] = [];
  for (const batch of batches(entries)) {
    const items = batch.map(({ object }) => withPresentOwners(object, uids));
    const { results } = await client.request<Answer>({
      method: "POST",
      path: "/capstan/v1/restore",
      body: {
        existing: existing === "replace" ? "replace" : "keep",
        resourceVersion: backup.resourceVersion,
        items,
      },
      signal,
    });
    for (const [index, { outcome, message = "" }] of results.entries()) {
      counts[outcome] += 1;
      if (outcome === "refused") refusals.push(`${nameOf(batch[index]!)}: ${message}`);
    }
  }
  if (refusals.length > 0) throw refused(refusals);
  return { ...counts, warnings: [] };
};
