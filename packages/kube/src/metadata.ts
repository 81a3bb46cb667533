import { isCapstanError } from "@capstan/contract";
import type { ObjectKey } from "@capstan/kube-values";
import { apiVersionOf, type KubeObject, type ObjectMeta, type Resource } from "@capstan/schema";
import type { CallOptions, Client, ListOptions, ObjectList } from "./client.ts";
import { collectionPath, objectPath } from "./paths.ts";

/** An object of which only the metadata was asked for. */
export interface MetadataObject extends KubeObject {
  readonly metadata: ObjectMeta;
}

const accept = (kind: string): Readonly<Record<string, string>> => ({
  accept: `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json`,
});

/** The server may answer with the whole object; what is not metadata is dropped. */
const metadataOf = (resource: Resource, { metadata }: KubeObject): MetadataObject => ({
  apiVersion: apiVersionOf(resource),
  kind: resource.kind,
  metadata,
});

/** Metadata of one object; `undefined` when it does not exist. */
export const findMetadata = async (
  client: Client,
  resource: Resource,
  key: ObjectKey,
  options: CallOptions = {},
): Promise<MetadataObject | undefined> => {
  try {
    const headers = accept("PartialObjectMetadata");
    const path = objectPath(resource, key);
    return metadataOf(resource, await client.request<KubeObject>({ method: "GET", path, headers, ...options }));
  } catch (error) {
    if (isCapstanError(error, "kube.not_found")) return undefined;
    throw error;
  }
};

interface MetadataPage {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items?: readonly KubeObject[];
}

/** Metadata of all objects of a kind, read in pages. */
export const listMetadata = async (
  client: Client,
  resource: Resource,
  options: ListOptions = {},
): Promise<ObjectList<MetadataObject>> => {
  const { namespace, labelSelector, fieldSelector, limit = 500, ...call } = options;
  const headers = accept("PartialObjectMetadataList");
  const path = collectionPath(resource, namespace);
  const items: MetadataObject[] = [];
  let next: string | undefined;
  let resourceVersion = "";
  do {
    const query = { labelSelector, fieldSelector, limit: String(limit), continue: next };
    const page = await client.request<MetadataPage>({ method: "GET", path, headers, query, ...call });
    for (const item of page.items ?? []) items.push(metadataOf(resource, item));
    resourceVersion = page.metadata?.resourceVersion ?? resourceVersion;
    next = page.metadata?.continue === "" ? undefined : page.metadata?.continue;
  } while (next !== undefined);
  return { items, resourceVersion };
};
