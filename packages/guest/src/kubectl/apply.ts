import { createDiscovery, type Client } from "@capstan/kube";
import type { KubeObject, Resource } from "@capstan/schema";

/** A cluster as objects are written to it. */
export interface Cluster {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly resourceOf: (object: Pick<KubeObject, "apiVersion" | "kind">) => Promise<Resource>;
  readonly namespace: string;
}

/** Finds where objects of a kind live; rejects in the words of kubectl. */
export const kindFinder = (client: Client, signal: AbortSignal): Cluster["resourceOf"] => {
  const discovery = createDiscovery(client);
  return async ({ apiVersion, kind }) => {
    const [group = "", version = ""] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
    const found = await discovery.resourceFor({ group, kind, version }, { signal });
    if (found !== undefined) return found;
    throw new Error(
      `error: resource mapping not found for kind ${JSON.stringify(kind)}: no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}\nensure CRDs are installed first`,
    );
  };
};

/** `daemonset.apps/name`. */
export const saidOf = ({ apiVersion, kind, metadata }: KubeObject): string => {
  const group = apiVersion.includes("/") ? `.${apiVersion.split("/")[0]}` : "";
  return `${kind.toLowerCase()}${group}/${metadata.name}`;
};

/** Applies an object by the server, as kubectl's own field manager. */
export const apply = async (object: KubeObject, cluster: Cluster): Promise<"configured" | "created" | "unchanged"> => {
  const { client, namespace, resourceOf, signal } = cluster;
  const resource = await resourceOf(object);
  const key = {
    name: object.metadata.name ?? "",
    ...(resource.namespaced && { namespace: object.metadata.namespace ?? namespace }),
  };
  const before = await client.find(resource, key, { signal });
  const after = await client.patch(
    resource,
    key,
    { type: "apply", body: object, force: true },
    { signal, fieldManager: "kubectl" },
  );
  if (before === undefined) return "created";
  return before.metadata.resourceVersion === after.metadata.resourceVersion ? "unchanged" : "configured";
};
