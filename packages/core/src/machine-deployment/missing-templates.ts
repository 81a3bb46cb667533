import { isCapstanError } from "@capstan/contract";
import { describeObject } from "@capstan/contract/wire";
import { ExternalErrorCode } from "@capstan/kit/machines";
import type { MachineDeploymentScope } from "./scope.ts";

/** Interval for rechecking missing templates, in milliseconds: nothing reports objects that no one owns yet. */
export const templatesRetryMs = 30_000;

/**
 * Returns the templates that Machines of the current spec would be made from and that do not exist, worded for the
 * operator.
 */
export const missingTemplates = async (scope: MachineDeploymentScope): Promise<readonly string[]> => {
  const { context, deployment, externals } = scope;
  const { namespace } = deployment.metadata;
  const { bootstrap, infrastructureRef } = deployment.spec.template.spec;
  const references = bootstrap.configRef === undefined ? [infrastructureRef] : [bootstrap.configRef, infrastructureRef];
  const missing: string[] = [];
  for (const reference of references) {
    try {
      if ((await externals.find(context, reference, namespace)) !== undefined) continue;
      const { kind, name } = reference;
      missing.push(
        `${describeObject(deployment)}: ${kind} ${namespace}/${name} does not exist; create it or correct spec.template.spec`,
      );
    } catch (error) {
      if (!isCapstanError(error, ExternalErrorCode.kindMissing)) throw error;
      missing.push(error.message);
    }
  }
  return missing;
};
