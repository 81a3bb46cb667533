import { controllerOf, ownerReference } from "@capstan/contract/wire";
import type { ExternalObject } from "@capstan/kit/machines";
import { Machine } from "../api.ts";
import { adoptExternal } from "../external/adopt.ts";
import type { MachineScope } from "./scope.ts";

/** Makes an object that a Machine refers to its own, and records what it found. Throws `core.external_object_taken`. */
export const adoptPart = (
  scope: MachineScope,
  part: "bootstrap" | "infrastructure",
  external: ExternalObject,
): Promise<ExternalObject> => {
  const { machine, context } = scope;
  const adoption = {
    owner: ownerReference(Machine, machine, { controller: true, blockOwnerDeletion: true }),
    clusterName: machine.spec.clusterName,
    maker: controllerOf(machine),
  };
  return adoptExternal(context, external, adoption, (observation) => {
    scope[part] = observation;
  });
};
