export { bootstrapDelivery } from "./delivery/bootstrap-delivery.ts";
export type { DeliveryInput, RecordedDelivery } from "./delivery/bootstrap-delivery.ts";
export { chooseRoute, measuredBytes } from "./delivery/choose-route.ts";
export type { Choice } from "./delivery/choose-route.ts";
export { deleteStored } from "./delivery/delete-stored.ts";
export type { StoredKey } from "./delivery/stored-keys.ts";
export {
  deliveryAnnotation,
  deliveryRecordOf,
  deliveryRecordPatch,
  hasStoredData,
} from "./delivery/delivery-record.ts";
export type { DeliveryRecord } from "./delivery/delivery-record.ts";
export { leftoverLabel, leftoverName, leftoverOf } from "./delivery/leftover.ts";
export type { Leftover } from "./delivery/leftover.ts";
export { gzip } from "./delivery/gzip.ts";
export { defaultExpirySeconds } from "./delivery/machine-store.ts";
export type { UploadMemory } from "./delivery/machine-store.ts";
export type { ObjectStoreRequest } from "./delivery/object-store-request.ts";
export { openStore } from "./delivery/open-store.ts";
export { secretReference } from "./delivery/secret-reference.ts";
export { recordedTarget, requestedTargets } from "./delivery/store-access.ts";
export type { SecretData, StoreAccess, StoreSecret, StoreTarget } from "./delivery/store-access.ts";
export { attemptTimeoutMs } from "./delivery/store-attempts.ts";
export { pointerTo, storePointer } from "./delivery/store-pointer.ts";
export { userDataOf } from "./delivery/user-data.ts";
export { gzipped, inline, metadataService, userDataRoutes } from "./delivery/user-data-routes.ts";
export type { UserDataLimit } from "./delivery/user-data-routes.ts";
