import type { MergePatch } from "@capstan/contract/wire";
import type { Cache } from "@capstan/kube";
import { isBeingDeleted, keyOf } from "@capstan/kube-values";
import { apiVersionOf, isJsonObject } from "@capstan/schema";
import type { KubeObject, Resource } from "@capstan/schema";
import { ownerIdAnnotation, ownerOf } from "../../engine/owner.ts";
import { infraClusterOf } from "../relations.ts";

/** Annotation of a machine or pool: what its removal needs to know of its infrastructure cluster. */
export const infraClusterAnnotation = "capstan.dev/infra-cluster";

/** The parts of an infrastructure cluster that the removal of its machines needs, without secrets. */
export interface ClusterParts {
  readonly spec?: unknown;
  readonly status?: unknown;
}

export interface RecordedCluster extends ClusterParts {
  readonly name: string;
  readonly ownerId: string;
}

/** The infrastructure cluster that an object records: its name, and its id as an owner. */
export const recordedClusterOf = ({ metadata }: KubeObject): RecordedCluster | undefined => {
  const text = metadata.annotations?.[infraClusterAnnotation];
  if (text === undefined) return undefined;
  try {
    const found: unknown = JSON.parse(text);
    if (!isJsonObject(found)) return undefined;
    const { name, ownerId, spec, status } = found;
    return typeof name === "string" && typeof ownerId === "string" ? { name, ownerId, spec, status } : undefined;
  } catch {
    // Someone wrote over it.
    return undefined;
  }
};

/** The infrastructure cluster as it was recorded; always in the object's own namespace, since users can write the record. */
const standIn = <C extends KubeObject>(
  object: KubeObject,
  kind: Resource<C>,
  { name, ownerId, spec, status }: RecordedCluster,
): C => {
  const { namespace = "" } = object.metadata;
  const metadata = { namespace, name, annotations: { [ownerIdAnnotation]: ownerId } };
  const parts = { ...(spec !== undefined && { spec }), ...(status !== undefined && { status }) };
  // What is read of it is what the author recorded.
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, ...parts } as unknown as C;
};

/** Returns whether an infrastructure cluster stands in, by what was recorded, for one that no longer exists. */
export const isRecordedCluster = ({ metadata }: KubeObject): boolean => metadata.uid === undefined;

/**
 * The infrastructure cluster of an object. For an object on its way out it is the one that its record names, even where the Cluster is gone;
 * where that no longer exists, or another one has its name, the record stands in for it.
 */
export const clusterOrRecord = <C extends KubeObject>(
  object: KubeObject,
  {
    cache,
    cluster,
    kind,
  }: { readonly cache: Cache; readonly cluster: KubeObject | undefined; readonly kind: Resource<C> },
): C | undefined => {
  const found = infraClusterOf(cache, cluster, kind);
  const recorded = isBeingDeleted(object) ? recordedClusterOf(object) : undefined;
  if (recorded === undefined) return found;
  const named = found ?? cache.get(kind, { ...keyOf(object), name: recorded.name });
  return named !== undefined && ownerOf(named).id === recorded.ownerId ? named : standIn(object, kind, recorded);
};

/** The patch that records the infrastructure cluster. A record of another one is kept: what was made is where that one said. */
export const clusterRecordPatch = <C extends KubeObject>(
  object: KubeObject,
  infraCluster: C | undefined,
  partsOf: ((infraCluster: C) => ClusterParts) | undefined,
): MergePatch => {
  if (infraCluster === undefined || partsOf === undefined) return {};
  const { id: ownerId, name } = ownerOf(infraCluster);
  const before = recordedClusterOf(object);
  if (before !== undefined && before.ownerId !== ownerId) return {};
  const record: RecordedCluster = { name, ownerId, ...partsOf(infraCluster) };
  return { metadata: { annotations: { [infraClusterAnnotation]: JSON.stringify(record) } } };
};
