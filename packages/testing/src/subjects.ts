export { claimedClusterSubject, claimedMachineSubject } from "./subjects/claimed-subject.ts";
export { memoryClusterSubject } from "./subjects/memory-cluster-subject.ts";
export { memorySubject } from "./subjects/memory-subject.ts";
export { pooledSubject } from "./subjects/pooled-subject.ts";
export { modularSubject } from "./subjects/modular-subject.ts";
