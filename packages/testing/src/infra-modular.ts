export { ModularCloud } from "./infra-modular/modular-cloud.ts";
export type {
  ModularCall,
  ModularCloudOptions,
  ModularKind,
  ModularOperation,
  ModularResource,
  ModularTags,
} from "./infra-modular/modular-cloud.ts";
export { ModularCluster, ModularMachine } from "./infra-modular/modular-kinds.ts";
export { createModularProvider } from "./infra-modular/modular-provider.ts";
