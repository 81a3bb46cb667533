import { isCapstanError } from "@capstan/contract";
import type { ContractReference } from "@capstan/contract/wire";
import { controllerOf, ownerReference } from "@capstan/contract/wire";
import type { ExternalObject } from "@capstan/kit/external";
import { Machine } from "../api.ts";
import { CoreErrorCode } from "../errors.ts";
import { adoptExternal } from "../external/adopt.ts";
import type { MachineScope } from "./scope.ts";

/**
 * Makes an object that a Machine refers to its own, and records it as found. One that serves another is recorded as taken: the Machine
 * neither believes what it reports nor deletes it. Throws `core.external_object_taken`.
 */
export const adoptPart = async (
  scope: MachineScope,
  part: "bootstrap" | "infrastructure",
  reference: ContractReference,
  external: ExternalObject,
): Promise<ExternalObject> => {
  const { machine, context } = scope;
  try {
    const adopted = await adoptExternal(context, external, {
      owner: ownerReference(Machine, machine, { controller: true, blockOwnerDeletion: true }),
      clusterName: machine.spec.clusterName,
      maker: controllerOf(machine),
    });
    scope[part] = { state: "found", external: adopted };
    return adopted;
  } catch (error) {
    if (isCapstanError(error, CoreErrorCode.externalObjectTaken)) scope[part] = { state: "taken", reference, error };
    throw error;
  }
};
