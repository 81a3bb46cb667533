import { isCapstanError } from "@capstan/contract";
import { controllerOf } from "@capstan/contract/wire";
import type { ExternalObject } from "@capstan/kit/machines";
import { blockersIn } from "@capstan/kit/machines";
import { groupOf } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { MachinePool, MachineSet } from "../api.ts";
import { makeFromTemplate } from "./make-from-template.ts";
import type { MachineScope } from "./scope.ts";

/**
 * Returns the object that made the Machine and supplies its bootstrap config and infrastructure; `undefined` for a
 * Machine of a pool, which leaves that to its infrastructure.
 */
const makerOf = async ({ context, externals, machine }: MachineScope): Promise<KubeObject | undefined> => {
  const owner = controllerOf(machine);
  const { namespace = "" } = machine.metadata;
  if (owner === undefined || owner.kind === MachinePool.kind) return undefined;
  const { kind, name } = owner;
  if (kind === MachineSet.kind) return context.cache.get(MachineSet, { namespace, name });
  try {
    return (await externals.find(context, { apiGroup: groupOf(owner.apiVersion), kind, name }, namespace))?.object;
  } catch (error) {
    // That a control plane cannot be read is no reason for its Machine to fail.
    if (isCapstanError(error)) return undefined;
    throw error;
  }
};

const whyNotMade = async (scope: MachineScope): Promise<string | undefined> => {
  const maker = await makerOf(scope);
  const blockers = maker === undefined ? [] : blockersIn(maker);
  if (maker === undefined || blockers.length === 0) return undefined;
  return `${maker.kind} ${maker.metadata.name ?? ""} cannot make it: ${blockers.join("; ")}`;
};

/**
 * Makes a part that the Machine refers to and that does not exist, where that is the Machine's own to make; of what others make it is
 * learned why they cannot. Throws as `makeFromTemplate` does.
 */
export const makePart = async (
  scope: MachineScope,
  part: "bootstrap" | "infrastructure",
): Promise<ExternalObject | undefined> => {
  const note = (why: string | undefined): void => {
    const observation = scope[part];
    if (why !== undefined && observation.state === "missing") scope[part] = { ...observation, why };
  };
  try {
    const made = await makeFromTemplate(scope, part);
    if (made === undefined) note(await whyNotMade(scope));
    return made;
  } catch (error) {
    note(isCapstanError(error) ? error.message : undefined);
    throw error;
  }
};
