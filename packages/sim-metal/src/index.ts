export { createSimulation } from "./create-simulation.ts";
export type { MetalSimulation } from "./create-simulation.ts";
export type { BootProgram, Handover, Host, SystemBoot } from "./boot/boot-program.ts";
export { createMetalSimulator } from "./simulator.ts";
export type { MetalSimulator, MetalSimulatorOptions } from "./simulator.ts";
export type { BootMedium, RackState, StoredDisk, StoredMachine } from "./state.ts";
export { LayoutBuilder } from "./registry/oci-layout.ts";
export type { BundlePart } from "./registry/oci-layout.ts";
export { registryService } from "./registry/registry-service.ts";
