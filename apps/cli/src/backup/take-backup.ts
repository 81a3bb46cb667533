import { isCapstanError, rfc3339, type Clock } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import type { KubeObject } from "@capstan/schema";
import { backedUpKinds, collectionPathOf, type ApiKind } from "./api-kinds.ts";
import type { Backup, BackupEntry } from "./backup-file.ts";
import { isAboutServer } from "./restore-plan.ts";

const pageSize = 500;
const attempts = 3;

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

const snapshot = async (client: Client, signal: AbortSignal): Promise<Pick<Backup, "resourceVersion" | "entries">> => {
  const newest = await client.request<Page>({
    method: "GET",
    path: "/api/v1/namespaces",
    query: { limit: "1" },
    signal,
  });
  const { resourceVersion } = newest.metadata;
  const entries: BackupEntry[] = [];
  for (const kind of await backedUpKinds(client, signal)) {
    entries.push(...(await objectsAt(client, kind, resourceVersion, signal)).filter((entry) => !isAboutServer(entry)));
  }
  return { resourceVersion, entries };
};

/**
 * Reads everything a server holds, as it was at one moment, while it goes on working. Begins anew when the moment has passed out of
 * the server's memory.
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
  for (let attempt = 1; ; attempt++) {
    const created = rfc3339(clock.now());
    try {
      return { created, server: gitVersion, ...(await snapshot(client, signal)) };
    } catch (error) {
      // Gone: compacted. Not found: a kind was removed while it was read.
      const isPassing = isCapstanError(error, "kube.gone") || isCapstanError(error, "kube.not_found");
      if (!isPassing || attempt === attempts) throw error;
    }
  }
};
