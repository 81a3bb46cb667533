import { deleteObject } from "./delete.ts";
import { listObjects } from "./list.ts";
import type { Served } from "./served.ts";
import { isStatusError } from "../model/status-error.ts";
import type { DeleteOptions, ListQuery } from "../model/types.ts";
import type { WriteCall, WriteEnvironment } from "./write-call.ts";

/** Objects deleted between two waits for durability, which also lets other requests in. */
const batch = 250;

/** Deletes every selected object; answers their last states. Objects that vanish meanwhile count as deleted. */
export const deleteMatching = async (
  environment: WriteEnvironment,
  call: WriteCall,
  query: ListQuery,
  options: DeleteOptions,
): Promise<readonly Served[]> => {
  const { items } = await listObjects(environment.storage, call.definition, query);
  const deleted: Served[] = [];
  let durable = Promise.resolve();
  for (const [index, { object }] of items.entries()) {
    const itemCall = { ...call, namespace: object.metadata.namespace ?? "" };
    try {
      const result = await deleteObject(environment, itemCall, object.metadata.name ?? "", options);
      deleted.push(result.served);
      durable = result.durable;
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
  return deleted;
};
