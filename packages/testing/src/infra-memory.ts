export { MemoryCloud } from "./infra-memory/memory-cloud.ts";
export type {
  MemoryCloudOptions,
  MemoryFault,
  MemoryLoadBalancer,
  MemoryOperation,
  MemoryServer,
} from "./infra-memory/memory-cloud.ts";
export { MemoryCluster, MemoryMachine, MemoryMachineTemplate } from "./infra-memory/memory-kinds.ts";
export { createMemoryProvider, memoryClusterAuthor, memoryMachineAuthor } from "./infra-memory/memory-provider.ts";
