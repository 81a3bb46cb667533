import { objectStores } from "@capstan/contract/v1";
import type { ReconcileContext, Request } from "@capstan/runtime";
import type { StoreAccess, StoreTarget } from "../../delivery/store-access.ts";
import { secretText } from "../../engine/credentials.ts";
import type { SecretReader } from "../../engine/credentials.ts";

/** The stores of the application, with credentials from Secrets whose changes then wake the given object. */
export const storeAccess = (
  stores: { readonly targets: readonly StoreTarget[]; readonly defaultType?: string | undefined },
  user: Request,
  secrets: SecretReader,
  context: ReconcileContext,
): StoreAccess => ({
  ...stores,
  openers: context.findService(objectStores),
  readSecret: async (ref) => {
    const read = await secrets.read(ref, user, context);
    return read === undefined ? undefined : secretText(read.data);
  },
  clock: context.clock,
  signal: context.signal,
});
