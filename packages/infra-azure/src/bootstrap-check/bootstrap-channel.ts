import { isCapstanError } from "@capstan/contract";
import { conditionOf, ConditionType, machine as machineFields } from "@capstan/contract/wire";
import type { ReportContext } from "@capstan/kit/machine";
import type { BootstrapReport, ReportChannel } from "@capstan/kit/report";
import { ReportReason } from "@capstan/kit/report";
import { resourceTypes } from "../arm/resource-id.ts";
import type { ResourceRef } from "../arm/resource-id.ts";
import type { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import type { AzureMachine } from "../api/azure-machine.v1beta1.ts";
import type { AzureApi } from "../cloud/azure-api.ts";
import { skuOf } from "../cloud/skus.ts";
import { extensionBody, extensionRef } from "../cloud/vm-extension.ts";
import { bootstrapExtension, bootstrapExtensionName } from "./bootstrap-extension.ts";
import type { CheckAnswer } from "./check-answer.ts";
import { checkAnswer } from "./check-answer.ts";

type Reading = ReportContext<AzureMachine, AzureApi, AzureCluster>;

/** Other clouds do not have the extension. */
const publicCloud = "AzurePublicCloud";

const instanceView = { $expand: "instanceView" };

const osOf = ({ object }: Reading): "Linux" | "Windows" =>
  object.spec?.osDisk.osType?.toLowerCase() === "windows" ? "Windows" : "Linux";

/** As with upstream, who says nothing about it has no extension. */
const hasExtension = ({ infraCluster, object }: Reading): boolean => {
  const { disableExtensionOperations, disableVMBootstrapExtension } = object.spec ?? {};
  const cloud = infraCluster?.spec?.azureEnvironment ?? publicCloud;
  return disableVMBootstrapExtension === false && disableExtensionOperations !== true && cloud === publicCloud;
};

/** Installs the check. It is not waited for: its extension says when it is over, to whatever process asks. */
const install = async (reading: Reading, ref: ResourceRef): Promise<CheckAnswer> => {
  const { api, call, infraCluster, object, waitMs } = reading;
  const location = infraCluster?.spec?.location ?? "";
  const os = osOf(reading);
  const size = os === "Linux" ? skuOf(await api.skus(location, call), object.spec?.vmSize ?? "") : undefined;
  const architecture = size?.capabilities["CpuArchitectureType"];
  await api.put(ref, extensionBody(location, bootstrapExtension({ os, architecture, waitMs })), call);
  return { state: "running" };
};

const byExtension = async (reading: Reading, vm: ResourceRef): Promise<CheckAnswer> => {
  const ref = extensionRef(vm, bootstrapExtensionName(osOf(reading)));
  const extension = await reading.api.find(ref, reading.call, instanceView);
  return extension === undefined ? install(reading, ref) : checkAnswer(extension);
};

/** Without the extension nothing inside the machine is asked: its Node says that it succeeded. */
const byNode = ({ machine }: Reading): CheckAnswer | undefined =>
  machineFields.nodeName.get(machine) === undefined ? undefined : { state: "succeeded" };

/** What the machine printed as it came up. A log that cannot be had changes no verdict. */
const bootLog = async ({ api, call, log, object }: Reading, vm: ResourceRef): Promise<string> => {
  if (object.spec?.diagnostics?.boot?.storageAccountType === "Disabled") return "";
  try {
    return (await api.bootLog(vm, call)) ?? "";
  } catch (error) {
    call.signal.throwIfAborted();
    if (!isCapstanError(error)) throw error;
    log.warn("the serial log of a machine could not be read", { error: error.message, code: error.code });
    return "";
  }
};

/** The longer log first, so that the end is that of the check, which is shown in the condition; once, where it is in both. */
const together = (serial: string, check: string): string => {
  const shorter = check.trim();
  const longer = serial.replaceAll("\r", "").trimEnd();
  return longer.includes(shorter) ? longer : [longer, shorter].filter((text) => text !== "").join("\n");
};

const read = async (reading: Reading): Promise<BootstrapReport | undefined> => {
  const vm: ResourceRef = { ...resourceTypes.virtualMachine, id: reading.handle };
  const answer = hasExtension(reading) ? await byExtension(reading, vm) : byNode(reading);
  const check = answer?.log ?? "";
  if (answer?.state === "succeeded") return { state: "succeeded" };
  if (answer?.state === "failed") return { state: "failed", log: together(await bootLog(reading, vm), check) };
  const said = conditionOf(reading.object, ConditionType.bootstrapSucceeded)?.reason;
  const isNews = said !== ReportReason.timedOut;
  if (answer?.state === "timedOut" || reading.isOverdue) {
    return { state: "timedOut", log: isNews ? together(await bootLog(reading, vm), check) : check };
  }
  return answer === undefined ? undefined : { state: "running" };
};

/** How it is learnt at Azure whether bootstrapping succeeded: by the extension where it is wanted, else by the Node. */
export const bootstrapChannel: ReportChannel<Reading> = { name: "azure", read };
