import type { ConditionInput } from "@capstan/contract/wire";
import type { AzureResource } from "../cloud/azure-api.ts";
import { extensionBody, extensionRef } from "../cloud/vm-extension.ts";
import { extensionsOf } from "./extensions.ts";
import { vmIdentities } from "./machine-identities.ts";
import type { MachineContext, MachinePlan } from "./machine-plan.ts";
import { machinePlan } from "./machine-plan.ts";
import { appliedTags, areTagsDue, tagMachine } from "./machine-tags.ts";
import { assignRole, roleOf } from "./role-assignment.ts";

const tagStep = "tag";
const roleStep = "assign role";
const extensionStep = "install extensions";

/** On an AzureMachine that has its virtual machine: upstream's mark for other programs. */
export const markAnnotation = "cluster-api-provider-azure";

/** Findings about a running machine. */
export interface Upkeep {
  readonly conditions: readonly ConditionInput[];
  readonly status: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Step that is due next. */
  readonly step?: string;
}

/** Returns the findings about a running machine, with the next of the steps that are due, one at a time. */
export const upkeepOf = async (context: MachineContext, plan: MachinePlan, vm: AzureResource): Promise<Upkeep> => {
  const { object } = context;
  const { conditions, missing } = await extensionsOf(context, plan, (ref, call) => context.api.known(ref, call));
  const identities = vmIdentities(object, plan.spec, vm);
  const role = await roleOf(context, plan);
  const areTagsOld = areTagsDue(object, plan, vm);
  const known = {
    conditions: [...identities.conditions, ...role.conditions, ...conditions],
    status: identities.status,
    annotations: { [markAnnotation]: "true", ...(areTagsOld ? {} : appliedTags(plan)) },
  };
  if (areTagsOld) return { ...known, step: tagStep };
  if (missing !== undefined) return { ...known, step: extensionStep };
  return role.isDue ? { ...known, step: roleStep } : known;
};

/** Installs the first that is missing. It is not waited for: machines are of use, and can be deleted, meanwhile. */
const installExtension = async (context: MachineContext): Promise<void> => {
  const { api, call } = context;
  const plan = machinePlan(context);
  const { missing } = await extensionsOf(context, plan, (ref) => api.find(ref, call));
  if (missing === undefined) return;
  await api.put(extensionRef(plan.vm, missing.name), extensionBody(plan.place.spec.location, missing), call);
};

/** The steps that put something about a running machine right. */
export const upkeepSteps = {
  [roleStep]: assignRole,
  [tagStep]: tagMachine,
  [extensionStep]: installExtension,
} as const;
