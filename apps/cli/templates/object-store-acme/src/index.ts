export { acmeObjectStores, createObjectStore } from "./opener.ts";
export type { AcmeObjectStoreOptions } from "./options.ts";
