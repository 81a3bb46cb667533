import { CapstanError } from "@capstan/contract";
import { bootstrapConfig, describeObject } from "@capstan/contract/wire";
import type { ExternalObject } from "@capstan/kit/machines";

/**
 * The name of the Secret that a bootstrap config has made; `undefined` before it has. Throws `wire.field_missing` when the config says
 * that there is one, and not which.
 */
export const madeDataSecret = ({ object, contract }: ExternalObject): string | undefined => {
  const { dataSecretCreated, dataSecretName } = bootstrapConfig.for(contract);
  if (dataSecretCreated.get(object) !== true) return undefined;
  const name = dataSecretName.require(object);
  if (name !== "") return name;
  const { path } = dataSecretName;
  throw new CapstanError({
    code: "wire.field_missing",
    reason: "FieldMissing",
    message: `${describeObject(object)}: ${path} is empty although ${dataSecretCreated.path} is true`,
    details: { path },
  });
};
