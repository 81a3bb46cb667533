export { PooledCloud } from "./infra-pooled/pooled-cloud.ts";
export type { PooledGroup, PooledInstance, PooledOperation } from "./infra-pooled/pooled-cloud.ts";
export { PooledMachine, PooledMachinePool } from "./infra-pooled/pooled-kinds.ts";
export { createPooledProvider } from "./infra-pooled/pooled-provider.ts";
