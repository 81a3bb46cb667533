import { isJsonObject } from "@capstan/schema";
import type { AzureMachinePoolMachine } from "../api/azure-machine-pool-machine.v1beta1.ts";
import type { AzureResource } from "../cloud/azure-api.ts";
import type { Reading } from "./extension-check.ts";
import { vmOf } from "./extension-check.ts";
import type { CommandTarget } from "./run-command-check.ts";

type InstanceReading = Reading<AzureMachinePoolMachine>;

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, field) => (isJsonObject(inner) ? inner[field] : undefined), value);

const instanceOf = (reading: InstanceReading): Promise<AzureResource | undefined> =>
  reading.api.known(vmOf(reading), reading.call);

/** Machines of scale sets: what runs in them is seen of themselves. */
export const instanceTarget: CommandTarget<AzureMachinePoolMachine> = {
  isOpen: () => true,
  osOf: async (reading) => {
    const os = at((await instanceOf(reading))?.properties, "storageProfile", "osDisk", "osType");
    return String(os).toLowerCase() === "windows" ? "Windows" : "Linux";
  },
};

/** Returns the output of a scale set's machine on its serial console, if its boot diagnostics keep it. */
export const instanceConsoleLog = async (reading: InstanceReading): Promise<string | undefined> => {
  const { api, call } = reading;
  const isKept = at((await instanceOf(reading))?.properties, "diagnosticsProfile", "bootDiagnostics", "enabled");
  return isKept === true ? api.bootLog(vmOf(reading), call) : undefined;
};
