export { CallGate, gatedClient } from "./conformance/call-gate.ts";
export { ControlPlaneScene } from "./conformance/control-plane-scene.ts";
export { CorePart } from "./conformance/core-part.ts";
export { crashEverywhere } from "./conformance/crash-everywhere.ts";
export { ConformanceEnvironment } from "./conformance/environment.ts";
export type { ManagerParts, RunningManager } from "./conformance/environment.ts";
export { InfraMachinePoolScene } from "./conformance/infra-machine-pool-scene.ts";
export { SceneManagers } from "./conformance/managers.ts";
export type { ManagedWorld } from "./conformance/managers.ts";
