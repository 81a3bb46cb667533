export { checkExpiry, checkKey, checkSize } from "./stores/check-call.ts";
export { isStatusOfAnybody, storeFailureOf } from "./stores/classify.ts";
export type { StoreAnswer } from "./stores/classify.ts";
export { storeErrors, storeMeanings } from "./stores/store-errors.ts";
export type { StoreError, StoreFailure } from "./stores/store-errors.ts";
