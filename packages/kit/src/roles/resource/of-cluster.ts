import { Label } from "@capstan/contract";
import type { PermissionV1 } from "@capstan/contract/v1";
import { ClusterResource, ownerOfKind } from "@capstan/contract/wire";
import type { Cache, IndexFunction } from "@capstan/kube";
import { keyFromText, keyOf, keyText } from "@capstan/kube-values";
import type { Environment, Request, Source } from "@capstan/runtime";
import { watchMapped } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import type { Around } from "../../engine/author.ts";
import { watched } from "../../engine/permissions.ts";
import type { ResourceSurroundings } from "./author.ts";
import { clusterIndex, clusterIndexOf, clusterOfInfra, infraClusterOf } from "../relations.ts";
import { clusterChanged, infraClusterChanged } from "../triggers.ts";

/** Index of objects by the Cluster they are labelled with or owned by. */
const memberIndex = "kit/resource-cluster";

const clusterOf: IndexFunction<KubeObject> = (object) => {
  const name = object.metadata.labels?.[Label.clusterName] ?? ownerOfKind(object, ClusterResource)?.name;
  return name === undefined ? [] : [keyText({ ...keyOf(object), name })];
};

const membersOf = ({ cache }: Pick<Environment, "cache">, kind: Resource, cluster: KubeObject): readonly Request[] =>
  cache.byIndex(kind, memberIndex, keyText(keyOf(cluster))).map((object) => keyOf(object));

/** Declares the index that `byOwningCluster` needs. */
export const prepareMembers = (kind: Resource, cache: Cache): void => {
  cache.informer<KubeObject>(kind).addIndex(memberIndex, clusterOf);
};

/** Requests for all objects of a kind that are labelled with a Cluster or owned by it. */
export const byOwningCluster = (kind: Resource): Source =>
  watchMapped(ClusterResource, (cluster, environment) => membersOf(environment, kind, cluster), {
    when: clusterChanged,
  });

/** The Cluster that an object is labelled with or owned by. */
export const surroundings = (object: KubeObject, cache: Cache): Around<ResourceSurroundings> => {
  const [key] = clusterOf(object);
  const named = key === undefined ? undefined : keyFromText(key);
  const cluster = named && cache.get(ClusterResource, named);
  return { cluster, clusterName: named?.name, inputs: [cluster], more: { cluster } };
};

/** The surroundings of an object of a Cluster. */
export interface ClusterMember<C extends KubeObject = KubeObject> {
  readonly cluster: KubeObject;
  /** The infrastructure cluster object of this kind that the Cluster has. */
  readonly infraCluster: C;
}

/** Parts of an `ObjectAuthor`. */
export interface OfCluster<O extends KubeObject, C extends KubeObject> {
  readonly around: (input: { readonly object: O; readonly cache: Cache }) => Around<ClusterMember<C>> | undefined;
  readonly setup: (cache: Cache) => void;
  readonly sources: readonly Source[];
  readonly permissions: { readonly own: readonly PermissionV1[] };
}

/**
 * For controllers of objects that are labelled with a Cluster or owned by it, such as templates: what of an `ObjectAuthor` says which
 * infrastructure cluster they belong to. Until there is one nothing is done about them.
 */
export const ofCluster = <O extends KubeObject, C extends KubeObject>(
  kind: Resource<O>,
  clusterKind: Resource<C>,
): OfCluster<O, C> => ({
  around: ({ cache, object }) => {
    const { clusterName, more } = surroundings(object, cache);
    const { cluster } = more;
    const infraCluster = infraClusterOf(cache, cluster, clusterKind);
    if (cluster === undefined || infraCluster === undefined) return undefined;
    return {
      cluster,
      clusterName,
      inputs: [cluster, infraCluster],
      follows: [{ kind: clusterKind, object: infraCluster }],
      more: { cluster, infraCluster },
    };
  },
  setup: (cache) => {
    prepareMembers(kind, cache);
    cache.informer<KubeObject>(clusterKind).addIndex(clusterIndex, clusterIndexOf);
  },
  sources: [
    byOwningCluster(kind),
    watchMapped(
      clusterKind,
      (object, environment) => {
        const cluster = clusterOfInfra(environment.cache, object, clusterKind);
        return cluster === undefined ? [] : membersOf(environment, kind, cluster);
      },
      { when: infraClusterChanged },
    ),
  ],
  permissions: { own: [watched(clusterKind), watched(ClusterResource)] },
});
