export type { ObjectStoreRequest } from "./delivery/object-store-request.ts";
export type {
  CreateContext,
  Credentials,
  Identity,
  InfraMachineAuthor,
  MachineAddress,
  MachineFacts,
  MachineObservation,
  MachineVerbContext,
  Progress,
  SecretRef,
  Stage,
} from "./roles/author.ts";
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
} from "./roles/machine-outcomes.ts";
export { infraMachine } from "./roles/machine-shell.ts";
export { provisionedCondition, ShellReason } from "./engine/reasons.ts";
