export { azureBlobObjectStores, createObjectStore } from "./opener.ts";
export type { AzureBlobObjectStoreOptions } from "./options.ts";
