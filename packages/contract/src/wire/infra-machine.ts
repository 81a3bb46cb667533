import type { KubeObject } from "@capstan/schema";
import type { ContractVersion } from "./contract-version.ts";
import type { Field } from "./field.ts";
import { field, flag, listOf, parts, record, text } from "./field.ts";

export const machineAddressTypes = ["Hostname", "ExternalIP", "InternalIP", "ExternalDNS", "InternalDNS"] as const;

/** One address of a machine, as in `status.addresses`. */
export interface WireAddress {
  readonly type: (typeof machineAddressTypes)[number];
  readonly address: string;
}

const addressType = (value: unknown): WireAddress["type"] | undefined =>
  machineAddressTypes.find((type) => type === value);

export const parseAddresses = listOf(parts<WireAddress>({ type: addressType, address: text }, ["type", "address"]));

export interface InfraMachineFields {
  readonly providerID: Field<string>;
  /** Never unset once true. */
  readonly provisioned: Field<boolean>;
  readonly addresses: Field<readonly WireAddress[]>;
  readonly failureDomain: Field<string>;
  /** Set by a user on a spot instance's object; becomes a Node label. */
  readonly interruptible: Field<boolean>;
}

const shared = {
  providerID: field("spec.providerID", text),
  addresses: field("status.addresses", parseAddresses),
  interruptible: field("status.interruptible", flag),
};

const v1beta2: InfraMachineFields = {
  ...shared,
  provisioned: field("status.initialization.provisioned", flag),
  failureDomain: field("status.failureDomain", text),
};

const specFailureDomain = field("spec.failureDomain", text);

const v1beta1: InfraMachineFields = {
  ...shared,
  provisioned: field("status.ready", flag),
  failureDomain: {
    ...specFailureDomain,
    get: (object: KubeObject) => v1beta2.failureDomain.get(object) ?? specFailureDomain.get(object),
  },
};

/** Reads the contract's fields of an infrastructure machine of any provider. */
export const infraMachine = {
  for: (contract: ContractVersion): InfraMachineFields => ({ v1beta1, v1beta2 })[contract],
};

/** Capacity that an infrastructure machine template reports to the autoscaler, for scaling from zero; the same in both contracts. */
export const infraMachineTemplate = {
  /** A resource list: quantities by resource name. */
  capacity: field("status.capacity", record),
  nodeInfo: field(
    "status.nodeInfo",
    parts<{ readonly architecture?: string; readonly operatingSystem?: string }>(
      { architecture: text, operatingSystem: text },
      [],
    ),
  ),
};
