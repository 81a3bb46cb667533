export { createObjectStore, localObjectStores } from "./opener.ts";
export type { LocalObjectStores } from "./opener.ts";
export type { LocalObjectStoreOptions } from "./options.ts";
