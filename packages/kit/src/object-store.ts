export { checkExpiry, checkKey, checkSize } from "./stores/check-call.ts";
export { storeErrors, storeMeanings } from "./stores/store-errors.ts";
export type { StoreError, StoreFailure } from "./stores/store-errors.ts";
export { isTlsFailure } from "./stores/tls-failure.ts";
