import { CapstanError } from "@capstan/contract";
import type { ContractReference } from "@capstan/contract/wire";
import { describeObject } from "@capstan/contract/wire";
import type { ExternalObject } from "@capstan/kit/external";
import { CoreErrorCode } from "../errors.ts";
import type { MachineSetScope } from "./scope.ts";

/** The templates of a set, as they stand. */
export interface Templates {
  readonly bootstrap: ExternalObject | undefined;
  readonly infrastructure: ExternalObject;
}

const templateOf = async (
  scope: MachineSetScope,
  reference: ContractReference,
  template: "Bootstrap" | "Infrastructure",
): Promise<ExternalObject> => {
  const { namespace } = scope.set.metadata;
  const found = await scope.externals.find(scope.context, reference, namespace);
  if (found !== undefined) return found;
  throw new CapstanError({
    code: CoreErrorCode.templateMissing,
    reason: "TemplateMissing",
    message: `${describeObject(scope.set)}: ${reference.kind} ${namespace ?? ""}/${reference.name} does not exist; create it or correct spec.template.spec`,
    details: { template },
  });
};

/** Reads the templates that new Machines are made from. Throws `core.template_missing`. */
export const readTemplates = async (scope: MachineSetScope): Promise<Templates> => {
  const { bootstrap, infrastructureRef } = scope.set.spec.template.spec;
  return {
    bootstrap:
      bootstrap.configRef === undefined ? undefined : await templateOf(scope, bootstrap.configRef, "Bootstrap"),
    infrastructure: await templateOf(scope, infrastructureRef, "Infrastructure"),
  };
};
