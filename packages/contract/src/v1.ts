export type { BootstrapDelivery, DeliveredBootstrap, DeliveryLimits, DeliveryRoute } from "./v1/bootstrap-delivery.ts";
export { objectStores } from "./v1/object-store.ts";
export type { CallOptions, ObjectHead, ObjectStore, ObjectStoreOpener, PutOptions } from "./v1/object-store.ts";
export type { ControllerPermissionsV1, PermissionV1, PermissionVerbV1 } from "./v1/permission.ts";
export type { ControllerV1, HostV1, ProviderV1, ServiceKey } from "./v1/provider.ts";
export {
  bootstrapConfigStatus,
  controlPlaneEndpoint,
  infraClusterStatus,
  infraMachineStatus,
} from "./v1/status-fragments.ts";
