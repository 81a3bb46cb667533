import { deleteObject } from "./delete.ts";
import { listObjects, type ListRequest, type ListResult } from "./list.ts";
import { isStatusError } from "../model/status-error.ts";
import type { DeleteOptions } from "../model/types.ts";
import type { WriteCall, WriteEnvironment } from "./write-call.ts";

/** Objects deleted between two waits for durability, which also lets other requests in. */
const batch = 250;

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
  for (const [index, { object }] of list.items.entries()) {
    const itemCall = { ...call, namespace: object.metadata.namespace ?? "" };
    try {
      ({ durable } = await deleteObject(environment, itemCall, object.metadata.name ?? "", options));
    } catch (error) {
      if (!isStatusError(error, "NotFound")) {
        throw error;
      }
    }
    if (index % batch === batch - 1) {
      await durable;
    }
  }
  await durable;
  return list;
};
