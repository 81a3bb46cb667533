import type { ConditionInput } from "@capstan/contract/wire";
import type { AzureResource } from "../cloud/azure-api.ts";
import { extensionBody, extensionRef } from "../cloud/vm-extension.ts";
import type { Tags } from "../cluster/resource-tags.ts";
import { tagOf } from "../cluster/resource-tags.ts";
import { extensionsOf } from "./extensions.ts";
import { findVm } from "./find-vm.ts";
import type { MachineContext, MachinePlan } from "./machine-plan.ts";
import { machinePlan, partTags } from "./machine-plan.ts";

const tagStep = "tag";
const extensionStep = "install extensions";

/** Tags that the machine lacks, or has with other values. Those of others stay. */
const missingTags = (plan: MachinePlan, vm: AzureResource): Tags =>
  Object.fromEntries(Object.entries(partTags(plan, plan.name)).filter(([key, value]) => tagOf(vm, key) !== value));

/** What has to be done about a machine that runs, one after another, and what is known of its extensions. */
export const upkeepOf = async (
  context: MachineContext,
  plan: MachinePlan,
  vm: AzureResource,
): Promise<{ readonly conditions: readonly ConditionInput[]; readonly step?: string }> => {
  const { conditions, missing } = await extensionsOf(context, plan);
  if (Object.keys(missingTags(plan, vm)).length > 0) return { conditions, step: tagStep };
  return missing === undefined ? { conditions } : { conditions, step: extensionStep };
};

const tagMachine = async (context: MachineContext): Promise<void> => {
  const { api, call } = context;
  const plan = machinePlan(context);
  const vm = await findVm(context, plan);
  if (vm === undefined) return;
  await api.changeTags(plan.vm.id, { operation: "Merge", tags: missingTags(plan, vm) }, call);
};

/** Installs the first that is missing. It is not waited for: machines are of use, and can be deleted, meanwhile. */
const installExtension = async (context: MachineContext): Promise<void> => {
  const { api, call } = context;
  const plan = machinePlan(context);
  const { missing } = await extensionsOf(context, plan);
  if (missing === undefined) return;
  await api.put(extensionRef(plan.vm, missing.name), extensionBody(plan.place.spec.location, missing), call);
};

/** The steps that put something about a running machine right. */
export const upkeepSteps = { [tagStep]: tagMachine, [extensionStep]: installExtension } as const;
