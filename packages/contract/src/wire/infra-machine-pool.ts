import type { ContractVersion } from "./contract-version.ts";
import type { Field } from "./field.ts";
import { field, flag, integer, listOf, text } from "./field.ts";

export interface InfraMachinePoolFields {
  readonly providerIDList: Field<readonly string[]>;
  /** Never unset once true. */
  readonly provisioned: Field<boolean>;
  /** Machines that exist. */
  readonly replicas: Field<number>;
  /** Kind of the infrastructure machines, where the pool has one for each of its machines. */
  readonly machineKind: Field<string>;
}

const shared = {
  providerIDList: field("spec.providerIDList", listOf(text)),
  replicas: field("status.replicas", integer),
  machineKind: field("status.infrastructureMachineKind", text),
};

const v1beta2: InfraMachinePoolFields = {
  ...shared,
  provisioned: field("status.initialization.provisioned", flag),
};

const v1beta1: InfraMachinePoolFields = { ...shared, provisioned: field("status.ready", flag) };

/** Reads the contract's fields of an infrastructure machine pool of any provider. */
export const infraMachinePool = {
  for: (contract: ContractVersion): InfraMachinePoolFields => ({ v1beta1, v1beta2 })[contract],
};
