import { setImmediate as nextTurn } from "node:timers/promises";
import { keyOf, type ObjectKey } from "@capstan/kube-values";
import { StoredObject } from "../storage/stored-object.ts";
import { deleteObject } from "./delete.ts";
import { listObjects, type ListRequest, type ListResult } from "./list.ts";
import type { Served } from "./served.ts";
import { isStatusError } from "../model/status-error.ts";
import type { DeleteOptions } from "../model/types.ts";
import type { WriteCall, WriteEnvironment } from "./write-call.ts";

/** Objects deleted between two waits for durability. */
const batch = 100;
/** Objects deleted before other requests are let in. */
const ofTurn = 20;

/** A key without a look at the object, which would have to be parsed for that. */
const keyOfServed = (item: Served): Required<ObjectKey> => (item instanceof StoredObject ? item : keyOf(item.object));

/**
 * Deletes what `query` selects: everything, or with a limit one page of it. Answers the list as it was before. Objects that
 * vanish meanwhile count as deleted.
 */
export const deleteMatching = async (
  environment: WriteEnvironment,
  call: WriteCall,
  query: ListRequest,
  options: DeleteOptions,
): Promise<ListResult> => {
  const list = await listObjects(environment.storage, call.definition, query);
  let durable = Promise.resolve();
  for (const [index, item] of list.items.entries()) {
    const { name, namespace } = keyOfServed(item);
    try {
      ({ durable } = await deleteObject(environment, { ...call, namespace }, name, options));
    } catch (error) {
      if (!isStatusError(error, "NotFound")) {
        throw error;
      }
    }
    if (index % batch === batch - 1) {
      await durable;
    } else if (index % ofTurn === ofTurn - 1) {
      await nextTurn();
    }
  }
  await durable;
  return list;
};
