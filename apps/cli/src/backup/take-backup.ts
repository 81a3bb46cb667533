import { isDeepStrictEqual } from "node:util";
import { CapstanError, isCapstanError, rfc3339, type Clock } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import { backedUpKinds, collectionPathOf, type ApiKind } from "./api-kinds.ts";
import type { Backup, BackupEntry } from "./backup-file.ts";
import { isAboutServer } from "./restore-plan.ts";

const pageSize = 500;
/** While kinds are being defined, no moment is one that all of them were served at. */
const settledWithinMs = 60_000;
const pauseMs = 500;

interface Page {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly KubeObject[];
}

/** All objects of a kind as they were at a resourceVersion. */
const objectsAt = async (
  client: Client,
  kind: ApiKind,
  resourceVersion: string,
  signal: AbortSignal,
): Promise<readonly BackupEntry[]> => {
  const entries: BackupEntry[] = [];
  let next: string | undefined;
  do {
    const at = next === undefined ? { resourceVersion, resourceVersionMatch: "Exact" } : { continue: next };
    const query = { limit: String(pageSize), ...at };
    const page: Page = await client.request<Page>({ method: "GET", path: collectionPathOf(kind), query, signal });
    for (const item of page.items) {
      // Items of built-in lists do not carry the names of their kind.
      const apiVersion = kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
      const object = { ...item, apiVersion, kind: kind.kind };
      entries.push({ plural: kind.plural, namespaced: kind.namespaced, object });
    }
    next = page.metadata.continue === "" ? undefined : page.metadata.continue;
  } while (next !== undefined);
  return entries;
};

/** Nothing where other kinds were served before the moment than after it. */
const snapshot = async (
  client: Client,
  signal: AbortSignal,
): Promise<Pick<Backup, "resourceVersion" | "entries"> | undefined> => {
  const kinds = await backedUpKinds(client, signal);
  const newest = await client.request<Page>({
    method: "GET",
    path: "/api/v1/namespaces",
    query: { limit: "1" },
    signal,
  });
  const { resourceVersion } = newest.metadata;
  if (!isDeepStrictEqual(kinds, await backedUpKinds(client, signal))) return undefined;
  const entries: BackupEntry[] = [];
  for (const kind of kinds) {
    entries.push(...(await objectsAt(client, kind, resourceVersion, signal)).filter((entry) => !isAboutServer(entry)));
  }
  return { resourceVersion, entries };
};

const notSettled = (cause: unknown): CapstanError =>
  new CapstanError({
    code: "backup.not_settled",
    reason: "NotSettled",
    message: `CRDs kept changing for ${settledWithinMs / 1000} s, so no consistent snapshot was possible; no backup was written. Rerun when the server has started and its CRDs are installed`,
    retry: { kind: "after", ms: settledWithinMs },
    cause,
  });

/**
 * Reads everything a server holds, as it was at one moment, while it continues working. Starts over when the moment has passed out of the
 * server's memory, or while definitions of kinds settle. Throws `backup.not_settled` when they do not within a minute.
 */
export const takeBackup = async (
  client: Client,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Backup> => {
  const { gitVersion } = await client.request<{ readonly gitVersion: string }>({
    method: "GET",
    path: "/version",
    signal,
  });
  const end = clock.now() + settledWithinMs;
  for (;;) {
    const created = rfc3339(clock.now());
    let cause: unknown;
    try {
      const taken = await snapshot(client, signal);
      if (taken !== undefined) return { created, server: gitVersion, ...taken };
    } catch (error) {
      // Gone: compacted, or the kind was defined again. Not found: it was removed while it was read.
      if (!isCapstanError(error, "kube.gone") && !isCapstanError(error, "kube.not_found")) throw error;
      cause = error;
    }
    if (clock.now() >= end) throw notSettled(cause);
    await clock.sleep(pauseMs, { signal });
  }
};
