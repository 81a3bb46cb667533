import { carriedMark } from "@capstan/kit/admission";
import type { Client } from "@capstan/kube";
import { apiVersionOf, type KubeObject } from "@capstan/schema";
import { installationLabel } from "../cluster/installation.ts";
import { readReferenceKey, referenceKeyIn, referenceKeyName } from "../cluster/reference-key.ts";
import type { BackupEntry } from "./backup-file.ts";
import type { RestoreOptions } from "./restore-options.ts";

interface ChangedKey {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
}

/** The installation whose key of reference marks a Secret holds. */
const installationOfKey = ({ object, plural }: BackupEntry): string | undefined => {
  const { labels = {}, name } = object.metadata;
  const installation = labels[installationLabel];
  const isOne = plural === "secrets" && installation !== undefined && referenceKeyName(installation) === name;
  return isOne ? installation : undefined;
};

/**
 * Keys of the backup in whose place the target has others, which stay. A key counts for the one of the same namespace and name alone, so that no
 * user gets marks by a key of another one.
 */
const changedKeys = async (
  client: Pick<Client, "find">,
  entries: readonly BackupEntry[],
): Promise<readonly ChangedKey[]> => {
  const found: ChangedKey[] = [];
  for (const entry of entries) {
    const installation = installationOfKey(entry);
    const from = installation === undefined ? undefined : referenceKeyIn(entry.object);
    if (installation === undefined || from === undefined) continue;
    const systemNamespace = entry.object.metadata.namespace ?? "";
    const to = await readReferenceKey(client, { installation, systemNamespace })();
    if (to !== undefined && !Buffer.from(to).equals(from)) found.push({ from, to });
  }
  return found;
};

/**
 * Gives objects of the backup whose references into other namespaces its own key admitted a mark by the target's key, where that is another one and
 * stays. Users who restore read and write both; what has no valid mark in the backup gets none. Returns the entries with what was changed.
 */
export const carryReferenceMarks = async (
  client: Pick<Client, "find">,
  entries: readonly BackupEntry[],
  { existing, kinds = [] }: Pick<RestoreOptions, "existing" | "kinds">,
): Promise<readonly BackupEntry[]> => {
  const keys = existing === "replace" ? [] : await changedKeys(client, entries);
  if (keys.length === 0) return entries;
  const known = new Map(kinds.map((kind) => [`${apiVersionOf(kind)} ${kind.kind}`, kind]));
  const carried = (object: KubeObject): KubeObject => {
    const kind = known.get(`${object.apiVersion} ${object.kind}`);
    if (kind === undefined) return object;
    return keys.map((key) => carriedMark(kind, object, key)).find((each) => each !== object) ?? object;
  };
  return entries.map((entry) => ({ ...entry, object: carried(entry.object) }));
};
