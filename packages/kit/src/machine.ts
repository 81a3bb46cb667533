export type {
  CreateContext,
  Credentials,
  Identity,
  InfraMachineAuthor,
  MachineAddress,
  MachineFacts,
  MachineObservation,
  MachineVerbContext,
  ObjectStoreRequest,
  Progress,
  SecretRef,
  Stage,
} from "./shells/author.ts";
export {
  absent,
  externalDNS,
  externalIP,
  failed,
  hostname,
  internalDNS,
  internalIP,
  pending,
  present,
  removing,
} from "./shells/machine-outcomes.ts";
export { infraMachine } from "./shells/machine-shell.ts";
export { provisionedCondition, ShellReason } from "./shells/reasons.ts";
