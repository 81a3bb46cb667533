import { defaultObjectStore } from "@capstan/contract/v1";
import type { ReconcileContext } from "@capstan/runtime";
import type { ObjectStoreRequest } from "../../delivery/object-store-request.ts";

/** The store that the author says a machine's cluster names, else the one that the application has for clusters that name none. */
export const storeRequestOf = <Input>(
  objectStore: ((input: Input) => ObjectStoreRequest | undefined) | undefined,
  input: Input,
  context: ReconcileContext,
): ObjectStoreRequest | undefined => {
  const named = objectStore?.(input);
  if (named !== undefined) return named;
  const credentialsRef = context.findService(defaultObjectStore);
  return credentialsRef === undefined ? undefined : { credentialsRef };
};
