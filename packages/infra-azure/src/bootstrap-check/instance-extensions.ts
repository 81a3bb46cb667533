import type { ConditionInput } from "@capstan/contract/wire";
import type { BootstrapReport } from "@capstan/kit/machine";
import type { AzureResource } from "../cloud/azure-api.ts";
import type { ServiceState } from "../cluster/cluster-conditions.ts";
import { serviceCondition } from "../cluster/cluster-conditions.ts";
import { bootstrapExtensionName } from "./bootstrap-extension.ts";
import { checkAnswer } from "./check-answer.ts";
import { codesOf, listIn } from "./failed-machine.ts";

type View = Readonly<Record<string, unknown>>;

const checks = [bootstrapExtensionName("Linux"), bootstrapExtensionName("Windows")];

const viewsOf = ({ properties }: AzureResource): readonly View[] => listIn(properties?.["instanceView"], "extensions");

const isCheck = ({ name }: View): boolean => checks.includes(String(name));

const stateOf = (view: View): "Succeeded" | "Failed" | "Creating" => {
  const codes = codesOf(view);
  if (codes.some((code) => code.startsWith("provisioningstate/succeeded"))) return "Succeeded";
  return codes.some((code) => code.startsWith("provisioningstate/failed")) ? "Failed" : "Creating";
};

/** Returns the report of a machine's bootstrap extension, which came with the model of its scale set; `undefined` if there is none. */
export const instanceBootstrap = (instance: AzureResource): BootstrapReport | undefined => {
  const view = viewsOf(instance).find(isCheck);
  if (view === undefined) return undefined;
  return checkAnswer({ properties: { provisioningState: stateOf(view), instanceView: view } });
};

const states: Readonly<Record<ReturnType<typeof stateOf>, ServiceState>> = {
  Creating: "creating",
  Failed: "failed",
  Succeeded: "ready",
};

/** Returns the condition of the user's extensions on a machine; empty if there are none. */
export const instanceExtensions = (instance: AzureResource): readonly ConditionInput[] => {
  const views = viewsOf(instance).filter((view) => !isCheck(view));
  if (views.length === 0) return [];
  const found = views.map(stateOf);
  const worst = (["Failed", "Creating"] as const).find((state) => found.includes(state)) ?? "Succeeded";
  const failing = views.filter((_, index) => found[index] === "Failed").map(({ name }) => String(name));
  const message = failing.length === 0 ? "" : `Azure could not install ${failing.join(", ")}`;
  return [serviceCondition("VMExtensions", states[worst], message)];
};

/** Returns whether extensions are known of: the system of the machine is up, and only they are waited for. */
export const hasExtensions = (instance: AzureResource): boolean => viewsOf(instance).length > 0;
