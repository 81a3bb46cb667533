import { isCapstanError } from "@capstan/contract";
import type { ContractReference } from "@capstan/contract/wire";
import type { ExternalObject, MachineParts } from "@capstan/kit/machines";
import { MachinesErrorCode, ownTemplate, partFromTemplate, readTemplate } from "@capstan/kit/machines";
import type { Result } from "@capstan/runtime";
import { blockerOf } from "./blocker.ts";
import { makingOf } from "./maker.ts";
import type { MachineSetScope } from "./scope.ts";

type TemplateName = "Bootstrap" | "Infrastructure";

const templateOf = (
  scope: MachineSetScope,
  reference: ContractReference,
  template: TemplateName,
): Promise<ExternalObject> =>
  readTemplate(scope, reference, { object: scope.set, field: "spec.template.spec", details: { template } });

/** The templates of a set, as they stand. Throws `machines.template_missing`. */
const readTemplates = async (scope: MachineSetScope) => {
  const { bootstrap, infrastructureRef } = scope.set.spec.template.spec;
  return {
    bootstrap:
      bootstrap.configRef === undefined ? undefined : await templateOf(scope, bootstrap.configRef, "Bootstrap"),
    infrastructure: await templateOf(scope, infrastructureRef, "Infrastructure"),
  };
};

/** Reads the templates that new Machines of a set refer to. Throws `machines.template_missing`. */
export const readParts = async (scope: MachineSetScope): Promise<MachineParts> => {
  const { maker } = makingOf(scope);
  const { bootstrap, infrastructure } = await readTemplates(scope);
  return {
    bootstrap: bootstrap === undefined ? undefined : partFromTemplate(maker, bootstrap),
    infrastructure: partFromTemplate(maker, infrastructure),
  };
};

/** Makes the templates the Cluster's own, and says which one does not exist. */
export const reconcileTemplates = async (scope: MachineSetScope): Promise<Result> => {
  const { cluster, context } = scope;
  try {
    const { bootstrap, infrastructure } = await readTemplates(scope);
    if (bootstrap !== undefined) await ownTemplate(context, bootstrap, cluster);
    await ownTemplate(context, infrastructure, cluster);
  } catch (error) {
    if (!isCapstanError(error, MachinesErrorCode.templateMissing)) throw error;
    // What an old set was made from may be gone: it makes nothing any more.
    if (!scope.outdated) scope.blockers = [blockerOf(error)];
  }
  return {};
};
