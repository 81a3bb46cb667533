import type { ConditionInput } from "@capstan/contract/wire";
import { isChanging, provisioningStateOf } from "../arm/operation.ts";
import type { AzureResource } from "../cloud/azure-api.ts";
import type { DesiredExtension } from "../cloud/vm-extension.ts";
import { extensionRef } from "../cloud/vm-extension.ts";
import type { ServiceState } from "../cluster/cluster-conditions.ts";
import { serviceCondition } from "../cluster/cluster-conditions.ts";
import type { Look } from "../cluster/part.ts";
import type { MachineContext, MachinePlan } from "./machine-plan.ts";

/** The extensions that the spec names. */
export const userExtensions = ({ spec }: Pick<MachinePlan, "spec">): readonly DesiredExtension[] =>
  (spec.vmExtensions ?? []).map(({ name, protectedSettings, publisher, settings, version }) => ({
    name,
    publisher,
    type: name,
    version,
    ...(settings !== undefined && { settings }),
    ...(protectedSettings !== undefined && { protectedSettings }),
  }));

const stateOf = (resource: AzureResource | undefined): ServiceState => {
  if (resource === undefined || isChanging(resource)) return "creating";
  return provisioningStateOf(resource) === "Succeeded" ? "ready" : "failed";
};

const worst = ["failed", "creating"] as const;

/** Returns the condition of the user's extensions, and the first extension that is missing. */
export const extensionsOf = async (
  { call }: MachineContext,
  plan: MachinePlan,
  look: Look,
): Promise<{ readonly conditions: readonly ConditionInput[]; readonly missing: DesiredExtension | undefined }> => {
  const wanted = userExtensions(plan);
  if (wanted.length === 0) return { conditions: [], missing: undefined };
  const found = await Promise.all(wanted.map(({ name }) => look(extensionRef(plan.vm, name), call)));
  const states = found.map(stateOf);
  const state = worst.find((each) => states.includes(each)) ?? "ready";
  const failing = wanted.filter((_, index) => states[index] === "failed").map(({ name }) => name);
  const message = failing.length === 0 ? "" : `Azure could not install ${failing.join(", ")}`;
  return {
    conditions: [serviceCondition("VMExtensions", state, message)],
    missing: wanted.find((_, index) => found[index] === undefined),
  };
};
