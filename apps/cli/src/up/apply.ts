import { CapstanError, isCapstanError, type Clock } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import { resource, type KubeObject, type Resource } from "@capstan/schema";
import type { ManifestObject } from "../manifest/read-manifests.ts";

/** Objects others refer to come first; within a rank the order of the file is kept. */
const rank: Readonly<Record<string, number>> = {
  Namespace: 0,
  CustomResourceDefinition: 1,
  ServiceAccount: 2,
  Secret: 2,
  ConfigMap: 2,
};

export type ApplyResult = "created" | "configured" | "unchanged";

interface ApiResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/**
 * Applies manifests server-side with strict validation, in an order in which references resolve. Every object is tried;
 * then `apply.refused` names each that was refused with its place, the fields and the reasons.
 */
export const applyManifests = async (
  objects: readonly ManifestObject[],
  options: {
    readonly client: Client;
    readonly clock: Clock;
    readonly signal: AbortSignal;
    readonly namespace: string;
    readonly onApplied: (object: KubeObject, result: ApplyResult) => void;
  },
): Promise<void> => {
  const resources = discovery(options.client, options.signal);
  const ordered = objects.toSorted((a, b) => (rank[a.object.kind] ?? 3) - (rank[b.object.kind] ?? 3));
  const refused: string[] = [];
  for (const { object, source } of ordered) {
    try {
      const kind = await resources(object);
      if (kind === undefined) {
        refused.push(
          `${source}: ${object.kind} of ${object.apiVersion} is not served here; check apiVersion and kind, and which providers run (--providers)`,
        );
        continue;
      }
      options.onApplied(object, await applyObject(object, kind, options));
    } catch (error) {
      options.signal.throwIfAborted();
      if (
        !isCapstanError(error) ||
        !["kube.invalid", "kube.bad_request", "kube.conflict", "kube.not_found", "kube.forbidden"].includes(error.code)
      )
        throw error;
      refused.push(`${source}: ${object.kind} ${object.metadata.name ?? ""}: ${error.message}`);
    }
  }
  if (refused.length === 0) return;
  throw new CapstanError({
    code: "apply.refused",
    reason: "ManifestRefused",
    message: [`${refused.length} of ${objects.length} objects were refused; the others are applied`, ...refused].join(
      "\n  ",
    ),
    retry: { kind: "never" },
  });
};

const applyObject = async (
  object: KubeObject,
  kind: Resource,
  { client, signal, namespace }: { readonly client: Client; readonly signal: AbortSignal; readonly namespace: string },
): Promise<ApplyResult> => {
  const key = {
    name: object.metadata.name ?? "",
    ...(kind.namespaced ? { namespace: object.metadata.namespace ?? namespace } : {}),
  };
  const before = await client.find(kind, key, { signal });
  const body = withoutNulls(object) as KubeObject;
  const path = `/${kind.group === "" ? "api" : `apis/${kind.group}`}/${kind.version}${kind.namespaced ? `/namespaces/${key.namespace ?? ""}` : ""}/${kind.plural}/${key.name}`;
  const after = await client.request<KubeObject>({
    method: "PATCH",
    path,
    query: { fieldManager: "capstan-up", force: "true", fieldValidation: "Strict" },
    headers: { "content-type": "application/apply-patch+yaml" },
    body,
    signal,
  });
  if (before === undefined) return "created";
  return before.metadata.resourceVersion === after.metadata.resourceVersion ? "unchanged" : "configured";
};

/** A null in a manifest (`matchLabels:` with nothing behind it) means absent; as an applied value the server would refuse it. */
const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, entry]) => entry !== null)
      .map(([key, entry]) => [key, withoutNulls(entry)]),
  );
};

/** Finds the plural of a kind by asking the server, once per group and version. */
const discovery = (client: Client, signal: AbortSignal): ((object: KubeObject) => Promise<Resource | undefined>) => {
  const known = new Map<string, Promise<readonly ApiResource[]>>();
  const read = async (apiVersion: string): Promise<readonly ApiResource[]> => {
    const path = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    try {
      const list = await client.request<{ readonly resources?: readonly ApiResource[] }>({
        method: "GET",
        path,
        signal,
      });
      return list.resources ?? [];
    } catch (error) {
      if (isCapstanError(error, "kube.not_found")) return [];
      throw error;
    }
  };
  return async ({ apiVersion, kind }) => {
    const pending = known.get(apiVersion) ?? read(apiVersion);
    known.set(apiVersion, pending);
    const found = (await pending).find((candidate) => candidate.kind === kind && !candidate.name.includes("/"));
    if (found === undefined) return undefined;
    const [group, version] = apiVersion.includes("/") ? (apiVersion.split("/") as [string, string]) : ["", apiVersion];
    return resource({ group, version, kind, plural: found.name, namespaced: found.namespaced });
  };
};
