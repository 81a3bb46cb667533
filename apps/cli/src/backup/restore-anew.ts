import { Group, isCapstanError, restorePendingAnnotation } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import type { KubeObject, ObjectMeta } from "@capstan/schema";
import type { BackupEntry } from "./backup-file.ts";
import { refused, type Outcome, type RestoreOptions, type RestorePlan } from "./restore-options.ts";
import { groupOf, isDefinition, itemPathOf, nameOf, pathOf } from "./restore-plan.ts";

/** An interrupted restore finds by it what is left to complete. */
const pending = restorePendingAnnotation;
const fieldManager = "capstan-restore";
const servedTimeoutMs = 30_000;
const servedPollMs = 100;

/** Secrets and Services hold what the target gives out itself. */
const withoutGiven = (object: KubeObject): KubeObject => {
  if (object.kind === "Secret" && object["type"] === "kubernetes.io/service-account-token") {
    const { "kubernetes.io/service-account.uid": _, ...annotations } = object.metadata.annotations ?? {};
    const { data: __, ...rest } = object;
    return { ...rest, metadata: { ...object.metadata, annotations } };
  }
  const spec = object["spec"] as Readonly<Record<string, unknown>> | undefined;
  if (object.kind !== "Service" || groupOf(object) !== "" || spec?.["clusterIP"] === "None") return object;
  const { clusterIP: _, clusterIPs: __, healthCheckNodePort: ___, ...rest } = spec ?? {};
  return { ...object, spec: rest };
};

/** The object as it can be created: without what only a server sets, with the owners' uids of the target. */
const fresh = (entry: BackupEntry, uids: ReadonlyMap<string, string>, marks: boolean): KubeObject => {
  const { status: _, ...object } = withoutGiven(entry.object);
  const { name, namespace, labels, annotations, finalizers, ownerReferences = [] } = object.metadata;
  const owners = ownerReferences.flatMap((owner) => {
    const uid = uids.get(owner.uid);
    return uid === undefined ? [] : [{ ...owner, uid }];
  });
  const noted = { ...annotations, ...(marks ? { [pending]: "status" } : {}) };
  const metadata: ObjectMeta = {
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(labels === undefined ? {} : { labels }),
    ...(Object.keys(noted).length === 0 ? {} : { annotations: noted }),
    ...(finalizers === undefined || isDefinition(entry) ? {} : { finalizers }),
    ...(owners.length === 0 ? {} : { ownerReferences: owners }),
  };
  return { ...object, metadata };
};

class Restoration {
  readonly #client: Client;
  readonly #options: RestoreOptions;
  /** Groups whose status is restored: that of other kinds the target's own controllers write. */
  readonly #customGroups: ReadonlySet<string>;
  readonly #uids = new Map<string, string>();
  readonly warnings: string[] = [];
  created = 0;
  kept = 0;

  constructor(client: Client, { entries }: RestorePlan, options: RestoreOptions) {
    this.#client = client;
    this.#options = options;
    this.#customGroups = new Set(
      entries.filter(isDefinition).map(({ object }) => (object["spec"] as { readonly group: string }).group),
    );
  }

  /** Creates an object, or completes it, or leaves the one that is there. */
  async restore(entry: BackupEntry): Promise<void> {
    const { uid = "", ownerReferences = [] } = entry.object.metadata;
    const lost = ownerReferences.filter((owner) => !this.#uids.has(owner.uid));
    for (const owner of lost) {
      this.warnings.push(`${nameOf(entry)} is no longer owned by ${owner.kind} ${owner.name}, which was not restored`);
    }
    const hasStatus = this.#customGroups.has(groupOf(entry.object)) && entry.object["status"] !== undefined;
    const stored = await this.#create(entry, hasStatus);
    this.#uids.set(uid, stored.metadata.uid ?? "");
    if (stored.metadata.annotations?.[pending] !== undefined) await this.#complete(entry);
  }

  /** Waits until objects of a definition can be created. */
  async served({ object }: BackupEntry): Promise<void> {
    const { clock, signal } = this.#options;
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${object.metadata.name ?? ""}`;
    const deadline = clock.now() + servedTimeoutMs;
    for (;;) {
      const { status } = await this.#client.request<{
        readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
      }>({ method: "GET", path, signal });
      if (status?.conditions?.some((one) => one.type === "Established" && one.status === "True")) return;
      if (clock.now() > deadline) throw refused([`${object.metadata.name ?? ""}: not established in time`]);
      await clock.sleep(servedPollMs, { signal });
    }
  }

  async #create(entry: BackupEntry, hasStatus: boolean): Promise<KubeObject> {
    const { signal } = this.#options;
    try {
      const body = fresh(entry, this.#uids, hasStatus);
      const query = { fieldManager };
      const made = await this.#client.request<KubeObject>({ method: "POST", path: pathOf(entry), query, body, signal });
      this.created += 1;
      return made;
    } catch (error) {
      if (!isCapstanError(error, "kube.already_exists")) throw error;
      this.kept += 1;
      return await this.#client.request<KubeObject>({ method: "GET", path: itemPathOf(entry), signal });
    }
  }

  async #complete(entry: BackupEntry): Promise<void> {
    const path = itemPathOf(entry);
    await this.#patch(`${path}/status`, { status: entry.object["status"] });
    await this.#patch(path, { metadata: { annotations: { [pending]: null } } });
  }

  async #patch(path: string, body: unknown): Promise<void> {
    const { signal } = this.#options;
    const headers = { "content-type": "application/merge-patch+json" };
    try {
      await this.#client.request({ method: "PATCH", path, query: { fieldManager }, headers, body, signal });
    } catch (error) {
      // A kind without the subresource keeps its status in the object itself.
      if (!path.endsWith("/status") || !isCapstanError(error, "kube.not_found")) throw error;
      await this.#patch(path.replace(/\/status$/, ""), body);
    }
  }
}

/** Machines of an infrastructure that have no id at their cloud yet: nothing finds their servers again. */
const withoutId = (entries: readonly BackupEntry[]): readonly string[] =>
  entries
    .filter(({ object }) => groupOf(object) === Group.infrastructure && object.kind.endsWith("Machine"))
    .filter(({ object }) => ((object["spec"] ?? {}) as { readonly providerID?: string }).providerID === undefined)
    .map((entry) => `${nameOf(entry)} has no providerID: a server that was being created for it cannot be found`);

const newIdentities =
  "every object has a new uid: cloud resources tagged with the old one are found only by providerID or ID, and may remain when their object is deleted";

const deleted = async (client: Client, path: string, signal: AbortSignal): Promise<void> => {
  try {
    await client.request({ method: "DELETE", path, signal });
  } catch (error) {
    if (!isCapstanError(error, "kube.not_found")) throw error;
  }
};

/** Restores at any Kubernetes API: objects are created with new uids, then get their status; ownership follows the new uids. */
export const restoreAnew = async (client: Client, plan: RestorePlan, options: RestoreOptions): Promise<Outcome> => {
  const { entries } = plan;
  const restoration = new Restoration(client, plan, options);
  const refusals: string[] = [];
  const waiting = entries.filter(isDefinition);
  for (const entry of entries) {
    if (!isDefinition(entry)) for (const definition of waiting.splice(0)) await restoration.served(definition);
    try {
      await restoration.restore(entry);
    } catch (error) {
      options.signal.throwIfAborted();
      if (!isCapstanError(error) || ["kube.unavailable", "kube.timeout", "kube.unauthorized"].includes(error.code)) {
        throw error;
      }
      refusals.push(`${nameOf(entry)}: ${error.message}`);
    }
  }
  const leaving = entries.filter(({ object }) => object.metadata.deletionTimestamp !== undefined);
  for (const entry of leaving) {
    if (isDefinition(entry)) continue;
    await deleted(client, itemPathOf(entry), options.signal);
  }
  if (refusals.length > 0) throw refused(refusals);
  const { created, kept, warnings } = restoration;
  return { created, kept, replaced: 0, warnings: [newIdentities, ...withoutId(entries), ...warnings] };
};
