import { Annotation } from "../names.ts";
import type { KubeObject } from "@capstan/schema";
import type { ContractVersion } from "./contract-version.ts";
import type { Field } from "./field.ts";
import { field, flag, text } from "./field.ts";

export interface BootstrapConfigFields {
  /** True once the Secret holds the bootstrap data. */
  readonly dataSecretCreated: Field<boolean>;
  readonly dataSecretName: Field<string>;
}

const dataSecretName = field("status.dataSecretName", text);

const v1beta2: BootstrapConfigFields = {
  dataSecretCreated: field("status.initialization.dataSecretCreated", flag),
  dataSecretName,
};

const v1beta1: BootstrapConfigFields = { dataSecretCreated: field("status.ready", flag), dataSecretName };

/** Reads the contract's fields of a bootstrap config of any provider. */
export const bootstrapConfig = {
  for: (contract: ContractVersion): BootstrapConfigFields => ({ v1beta1, v1beta2 })[contract],
  /** RFC 3339; on the Machine or its bootstrap config. */
  certificatesExpiry: (object: KubeObject): string | undefined =>
    object.metadata.annotations?.[Annotation.certificatesExpiry],
};

/** Keys of the bootstrap Secret's data. */
export const bootstrapSecretKeys = { value: "value", format: "format" } as const;

/** Formats of bootstrap data; a Secret without a format holds cloud-config. */
export const bootstrapFormats = { cloudConfig: "cloud-config", ignition: "ignition" } as const;
