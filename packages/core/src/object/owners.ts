import { ownerReference, withOwnerReference } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { withMetadata } from "@capstan/kit/machines";
import { Cluster } from "../api.ts";

/** The object as its Cluster's, so that it goes and moves with it. What is being deleted gets no new owner. */
export const ownedByCluster = <T extends KubeObject>(object: T, cluster: Cluster): T =>
  object.metadata.deletionTimestamp === undefined
    ? withMetadata(object, {
        ownerReferences: withOwnerReference(object.metadata.ownerReferences, ownerReference(Cluster, cluster)),
      })
    : object;
