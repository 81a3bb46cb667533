import type { BootstrapReport } from "@capstan/kit/machine";
import { isJsonObject } from "@capstan/schema";
import type { AzureResource } from "../cloud/azure-api.ts";

/** The objects of a list that Azure answered with, if it did. */
export const listIn = (value: unknown, name: string): readonly Readonly<Record<string, unknown>>[] => {
  const list = isJsonObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
};

/** Codes of the statuses that a view has, in lower case. */
export const codesOf = (view: unknown): readonly string[] =>
  listIn(view, "statuses").flatMap(({ code }) => (typeof code === "string" ? [code.toLowerCase()] : []));

const hasFailed = (view: unknown): boolean => codesOf(view).some((code) => code.startsWith("provisioningstate/failed"));

/** Returns whether a machine is switched on, in Azure's word: `running`, `stopped`, `deallocated` and the like. */
export const powerOf = ({ properties }: AzureResource): string | undefined =>
  codesOf(properties?.["instanceView"])
    .find((code) => code.startsWith("powerstate/"))
    ?.slice("powerstate/".length);

/** Returns whether the machine is switched on. */
export const isRunning = (vm: AzureResource): boolean => powerOf(vm) === "running";

/**
 * Returns whether a virtual machine is only called Failed because an extension of it has failed: it runs, and what failed is the matter of the
 * extension's own condition.
 */
export const isFailedByExtension = (vm: AzureResource): boolean =>
  isRunning(vm) && listIn(vm.properties?.["instanceView"], "extensions").some(hasFailed);

/**
 * Returns the reason that Azure gives for the failure of a virtual machine: the code after its failed state, and the messages of its
 * errors.
 */
export const machineFailure = ({ properties }: AzureResource): { readonly code: string; readonly message: string } => {
  const statuses = listIn(properties?.["instanceView"], "statuses");
  const code = statuses.map((status) => /^ProvisioningState\/failed\/(\w+)/i.exec(String(status["code"]))?.[1]);
  const messages = statuses.flatMap(({ level, message }) =>
    level === "Error" && typeof message === "string" && message !== "" ? [message] : [],
  );
  return { code: code.find((each) => each !== undefined) ?? "", message: messages.join("; ") };
};

/**
 * Returns the bootstrap report of a failed virtual machine: `undefined`, unless its system came up and did not finish. A machine that was
 * only too slow may still succeed.
 */
export const bootstrapOfFailed = (vm: AzureResource): BootstrapReport | undefined => {
  const { code, message } = machineFailure(vm);
  if (!/^OSProvisioning/i.test(code)) return undefined;
  const cause = message === "" ? `${code}: the system did not report in time that it is up` : `${code}: ${message}`;
  return { state: /TimedOut$/i.test(code) ? "timedOut" : "failed", cause };
};
