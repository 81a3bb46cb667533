import type { CreateObjectStoreV1, ObjectStoreOpener } from "@capstan/contract/v1";
import { acmeStore } from "./acme-store.ts";
import type { AcmeObjectStoreOptions } from "./options.ts";
import { readSettings } from "./settings.ts";

/** Opens stores of type `acme`. Opening makes no call. */
export const acmeObjectStores = (options: AcmeObjectStoreOptions): ObjectStoreOpener => ({
  contract: "v1",
  type: "acme",
  open: (data) => acmeStore(readSettings(data), options),
});

/** The stores as the command loads them. */
export const createObjectStore: CreateObjectStoreV1 = ({ clock, random, proxyFor }) =>
  acmeObjectStores({ clock, random, ...(proxyFor !== undefined && { proxyFor }) });
