export type {
  BootstrapData,
  BootstrapDelivery,
  DeliveredBy,
  DeliveryPlace,
  DeliveryRoute,
  MachineStore,
  UserData,
} from "./v1/bootstrap-delivery.ts";
export type { FlavorV1, FlavorValueV1 } from "./v1/flavor.ts";
export type { AdmissionContextV1, ConvertV1, DefaultedV1, KindWebhooksV1 } from "./v1/kind-webhooks.ts";
export { objectStores } from "./v1/object-store.ts";
export type { CallOptions, ObjectHead, ObjectStore, ObjectStoreOpener, PutOptions } from "./v1/object-store.ts";
export { optionDefaults, optionKey, withOptions } from "./v1/options.ts";
export type {
  BooleanOptionV1,
  CodeOnlyV1,
  ConfigurableV1,
  DurationOptionV1,
  ListOptionV1,
  NumberOptionV1,
  OptionDeclarationV1,
  OptionDefaultsV1,
  OptionsV1,
  OptionV1,
  OptionValuesV1,
  TextOptionV1,
} from "./v1/options.ts";
export type {
  CreateObjectStoreV1,
  CreateProviderV1,
  OutsideV1,
  DefaultCredentialsV1,
  SimulatedCloudV1,
} from "./v1/outside.ts";
export type { ControllerPermissionsV1, PermissionV1, PermissionVerbV1 } from "./v1/permission.ts";
export type {
  CloudPlanV1,
  PlanAskerV1,
  PlanItemV1,
  PlannedMachineV1,
  PlannedResourceV1,
  PlanProblemV1,
  PlanRequestV1,
  PlanV1,
} from "./v1/plan.ts";
export { clusterNameColumn } from "./v1/printer-columns.ts";
export type { ControllerPlaceV1, ControllerV1, HostV1, ManagerV1, ProviderV1, ServiceKey } from "./v1/provider.ts";
export { bootstrapTimeout } from "./v1/bootstrap-timeout.ts";
export { defaultObjectStore } from "./v1/served-store.ts";
export type { ObjectStoreServerV1, StoreServingV1 } from "./v1/served-store.ts";
export type {
  CreateSimulationV1,
  BalancedServiceV1,
  CloudDutyV1,
  CloudInstanceV1,
  GuestCloudV1,
  GuestContainerV1,
  GuestHostV1,
  GuestDiskV1,
  GuestRunOptionsV1,
  GuestRunV1,
  GuestWayV1,
  StartingContainerV1,
  UnbalancedServiceV1,
  GuestMachineV1,
  SimulationOutsideV1,
  SimulationV1,
} from "./v1/simulation.ts";
export {
  bootstrapConfigStatus,
  controlPlaneEndpoint,
  controlPlaneScale,
  controlPlaneStatus,
  infraClusterStatus,
  infraMachinePoolStatus,
  infraMachineStatus,
  providerIDList,
} from "./v1/status-fragments.ts";
