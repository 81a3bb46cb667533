export { claimMachines } from "./machines/claim.ts";
export type { MayAdopt } from "./machines/claim.ts";
export { completionOf } from "./machines/completion.ts";
export type { CompletePart, NewPartPlace } from "./machines/completion.ts";
export { drainingNode, MachineCondition, ReplicasCondition } from "./machines/condition-names.ts";
export {
  blockersIn,
  deletingReplicas,
  machinesReady,
  machinesUpToDate,
  remediating,
  rollingOutReplicas,
  scalingConditions,
  staleMachinesMessage,
  upToDateCondition,
} from "./machines/conditions.ts";
export type { ScalingFacts } from "./machines/conditions.ts";
export { byVersion, countMachines, machineVersions, sumVersions } from "./machines/counters.ts";
export type { Counters } from "./machines/counters.ts";
export { deleteMachines } from "./machines/delete-machines.ts";
export { delayCauses, drainText } from "./machines/drain-text.ts";
export { MachinesErrorCode } from "./machines/errors.ts";
export { deleteLeftovers } from "./machines/leftovers.ts";
export { defaultNodeDeletionTimeoutSeconds } from "./machines/machine-body.ts";
export type { MachineIdentity } from "./machines/machine-body.ts";
export { machineName } from "./machines/machine-name.ts";
export type { NameVariables } from "./machines/machine-name.ts";
export { Machines } from "./machines/machine.ts";
export type { Machine, MachineSettings } from "./machines/machine.ts";
export { makeMachine } from "./machines/make-machine.ts";
export { warnOf } from "./machines/maker.ts";
export type { MachineMaker, Making, Texts } from "./machines/maker.ts";
export { incompleteMachines, makeParts, partFromTemplate } from "./machines/parts.ts";
export type { MachinePart, MachineParts } from "./machines/parts.ts";
export { machineSync, syncMachines } from "./machines/sync.ts";
export type { MachineSync, PartTemplates } from "./machines/sync.ts";
export { ownTemplate, readTemplate } from "./machines/template.ts";
