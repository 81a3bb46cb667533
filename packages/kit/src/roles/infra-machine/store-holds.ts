import { SecretResource } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { deliveryRecordOf } from "../../delivery/delivery-record.ts";
import type { ObjectStoreRequest } from "../../delivery/object-store-request.ts";
import { recordedTarget, requestedTargets } from "../../delivery/store-access.ts";
import type { ObjectContext } from "../../engine/author.ts";
import type { Hold } from "../../engine/holds/hold.ts";
import { storeRequestOf } from "./store-request.ts";

/** The place of an object, in which its stores are found. */
interface StorePlace<O extends KubeObject, C> extends Pick<ObjectContext<O>, "environment" | "object"> {
  readonly infraCluster: C | undefined;
}

/** The Secrets of object stores: those that a machine's bootstrap data may go to, and those where it is. */
export const storeHolds = <O extends KubeObject, C>(
  objectStore:
    | ((input: { readonly object: O; readonly infraCluster: C | undefined }) => ObjectStoreRequest | undefined)
    | undefined,
): readonly Hold<StorePlace<O, C>>[] => {
  if (objectStore === undefined) return [];
  return [
    {
      kind: SecretResource,
      of: ({ environment, infraCluster, object }) => {
        const { namespace = "" } = object.metadata;
        const request = storeRequestOf(objectStore, { object, infraCluster }, environment);
        const requested = request === undefined ? [] : requestedTargets(request, namespace);
        const { store, stores = store === undefined ? [] : [store] } = deliveryRecordOf(object) ?? {};
        // Users can write the record too: on its own it holds nothing in another namespace.
        const recorded = stores.map(recordedTarget).filter(({ ref }) => ref.namespace === namespace);
        return [...recorded, ...requested].map(({ ref }) => ref);
      },
    },
  ];
};
