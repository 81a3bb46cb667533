import type { ReportChannel, ReportContext } from "@capstan/kit/machine";
import type { KubeObject } from "@capstan/schema";
import { virtualMachineRef } from "../arm/resource-id.ts";
import type { ResourceRef } from "../arm/resource-id.ts";
import type { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import type { AzureMachine } from "../api/azure-machine.v1beta1.ts";
import type { AzureApi } from "../cloud/azure-api.ts";
import { skuOf } from "../cloud/skus.ts";
import { extensionBody, extensionRef } from "../cloud/vm-extension.ts";
import { bootstrapExtension, bootstrapExtensionName } from "./bootstrap-extension.ts";
import type { CheckAnswer } from "./check-answer.ts";
import { checkAnswer } from "./check-answer.ts";

/** Context of a bootstrap check, by default that of an AzureMachine. */
export type Reading<O extends KubeObject = AzureMachine> = ReportContext<O, AzureApi, AzureCluster>;

/** The name by which users choose the extension. */
const name = "extension";

/** Other clouds do not have the extension. */
const publicCloud = "AzurePublicCloud";

const instanceView = { $expand: "instanceView" };

export const osOf = ({ object }: Pick<Reading, "object">): "Linux" | "Windows" =>
  object.spec?.osDisk.osType?.toLowerCase() === "windows" ? "Windows" : "Linux";

/** The virtual machine that is checked. */
export const vmOf = ({ handle }: Pick<Reading, "handle">): ResourceRef => virtualMachineRef(handle);

/** Fields of a spec that enable and disable extensions. */
interface ExtensionFields {
  readonly disableExtensionOperations?: boolean | undefined;
  readonly disableVMBootstrapExtension?: boolean | undefined;
}

/** As with upstream, who says nothing about it has no extension, unless it is chosen by its name. */
export const isExtensionAsked = (
  { disableExtensionOperations, disableVMBootstrapExtension }: ExtensionFields,
  { checker, infraCluster }: Pick<Reading, "checker" | "infraCluster">,
): boolean => {
  const isAsked =
    disableVMBootstrapExtension === false || (disableVMBootstrapExtension === undefined && checker === name);
  const cloud = infraCluster?.spec?.azureEnvironment ?? publicCloud;
  return isAsked && disableExtensionOperations !== true && cloud === publicCloud;
};

const isAvailable = (reading: Reading): boolean => isExtensionAsked(reading.object.spec ?? {}, reading);

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

const read = async (reading: Reading): Promise<CheckAnswer> => {
  const ref = extensionRef(vmOf(reading), bootstrapExtensionName(osOf(reading)));
  const extension = await reading.api.find(ref, reading.call, instanceView);
  return extension === undefined ? install(reading, ref) : checkAnswer(extension);
};

/** The check inside the machine, as an extension of its own: success is the sentinel of the bootstrap provider alone. */
export const extensionCheck: ReportChannel<Reading> = { name, isAvailable, read };
