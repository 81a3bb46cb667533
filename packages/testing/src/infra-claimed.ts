export { ClaimedCluster, ClaimedMachine, PoolAddress, PoolHost } from "./infra-claimed/claimed-kinds.ts";
export { createClaimedProvider } from "./infra-claimed/claimed-provider.ts";
export { poolAgent } from "./infra-claimed/pool-agent.ts";
export { PoolHardware } from "./infra-claimed/pool-hardware.ts";
export type { HostState, PoolHardwareOptions } from "./infra-claimed/pool-hardware.ts";
