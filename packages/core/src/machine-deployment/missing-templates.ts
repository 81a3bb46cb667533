import { isCapstanError } from "@capstan/contract";
import { describeObject } from "@capstan/contract/wire";
import { ExternalErrorCode } from "@capstan/kit/machines";
import type { MachineDeploymentScope } from "./scope.ts";

/** How often it is looked whether templates have come: nothing reports objects that no one owns yet. */
export const templatesRetryMs = 30_000;

/** What Machines of the present template would be made from and does not exist, as an operator is told. */
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
