import { type CreateObjectStoreV1, type ObjectStoreOpener, withOptions } from "@capstan/contract/v1";
import { acmeStore } from "./acme-store.ts";
import { type AcmeObjectStoreOptions, declaration } from "./options.ts";
import { readSettings } from "./settings.ts";

/** Opens stores of type `acme`. Opening makes no call. */
export const acmeObjectStores = (options: AcmeObjectStoreOptions): ObjectStoreOpener => ({
  contract: "v1",
  type: "acme",
  open: (data) => acmeStore(readSettings(data), options),
});

/** The stores as the command loads them. */
export const createObjectStore = withOptions(declaration, ({ clock, random, proxyFor }, options) =>
  acmeObjectStores({ clock, random, ...(proxyFor !== undefined && { proxyFor }), ...options }),
) satisfies CreateObjectStoreV1;
