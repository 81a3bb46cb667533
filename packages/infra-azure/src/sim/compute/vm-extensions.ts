import { boolean, json, object, text } from "@capstan/simulation";
import { isJsonObject } from "@capstan/schema";
import { refusal } from "../arm/refusals.ts";
import { same } from "../arm/resource-id.ts";
import { resourceById } from "../resources/find.ts";
import type { Change, ResourceKind } from "../resources/resource-kind.ts";
import { readOnly } from "../resources/writable.ts";
import type { Json, OperationError, StoredResource } from "../state.ts";
import type { World } from "../world.ts";
import { runInside } from "./agent.ts";
import { type CommandResult, type Extension, extensionType, extensionView, resultMessage } from "./extension-status.ts";
import { isWindows, type Vm } from "./vm.ts";

const timeoutTask = "extension-timeout";

/** Extensions of which it is known for which system they are. */
const systems: Readonly<Record<string, "Linux" | "Windows">> = {
  "capz.linux.bootstrapping": "Linux",
  "capz.windows.bootstrapping": "Windows",
  customscript: "Linux",
  customscriptextension: "Windows",
};

const isBootstrapping = ({ type }: Extension): boolean => /^CAPZ\.(?:Linux|Windows)\.Bootstrapping$/i.test(type);

const vmOf = (extension: string, world: Pick<World, "state">): StoredResource<Vm> | undefined =>
  resourceById(extension.replace(/\/extensions\/[^/]+$/i, ""), world) as StoredResource<Vm> | undefined;

const check = ({ resource, before }: Change<Extension>, world: World): void => {
  const vm = vmOf(resource.id, world);
  const { publisher, type, typeHandlerVersion } = resource.properties;
  if (vm === undefined) return;
  if (typeHandlerVersion === undefined || !/^\d+\.\d+(?:\.\d+){0,2}$/.test(typeHandlerVersion)) {
    throw refusal(
      400,
      "InvalidParameter",
      `The value of parameter typeHandlerVersion is invalid.`,
      "typeHandlerVersion",
    );
  }
  if (vm.state !== "Succeeded" && vm.state !== "Failed") {
    throw refusal(
      409,
      "Conflict",
      `The request failed due to conflict with a concurrent request. To resolve it, please refer to https://aka.ms/activitylog to get more details on the conflicting requests.`,
    );
  }
  if (vm.properties.osProfile?.allowExtensionOperations === false) {
    throw refusal(
      409,
      "OperationNotAllowed",
      "This operation cannot be performed when extension operations are disallowed. To allow, please ensure VM Agent is installed on the VM and the osProfile.allowExtensionOperations property is true.",
    );
  }
  if (vm.machine?.power !== "running") {
    throw refusal(409, "OperationNotAllowed", "Cannot modify extensions in the VM when the VM is not running.");
  }
  const system = systems[type.toLowerCase()];
  const os = isWindows(vm.properties) ? "Windows" : "Linux";
  if (system !== undefined && system !== os) {
    throw refusal(
      400,
      "VMExtensionHandlerNonTransientError",
      `The handler for VM extension type '${publisher}.${type}' is for ${system}, but virtual machine '${vm.name}' runs ${os}.`,
    );
  }
  if (before !== undefined && !same(before.properties.type, type)) {
    throw refusal(409, "PropertyChangeNotAllowed", "Changing property 'type' is not allowed.", "type");
  }
  const other = world.state.resources.find(
    (each) =>
      each.type === extensionType &&
      each.id !== resource.id &&
      same(vmOf(each.id, world)?.id ?? "", vm.id) &&
      same((each.properties as unknown as Extension).type, type) &&
      same((each.properties as unknown as Extension).publisher, publisher),
  );
  if (other === undefined) return;
  throw refusal(
    400,
    "BadRequest",
    `Multiple VMExtensions per handler not supported for OS type '${os}'. VMExtension '${other.name}' with handler '${publisher}.${type}' already added or specified in input.`,
  );
};

const failureOf = ({ name, properties }: StoredResource<Extension>, result: CommandResult): OperationError => ({
  code: "VMExtensionProvisioningError",
  message: `VM has reported a failure when processing extension '${name}' (publisher '${properties.publisher}' and type '${properties.type}'). Error message: '${resultMessage(result)}'. More information on troubleshooting is available at https://aka.ms/VMExtensionCSELinuxTroubleshoot.`,
});

const planned = (
  extension: StoredResource<Extension>,
  vm: StoredResource<Vm>,
  world: World,
): CommandResult | undefined => {
  const plan = world.guestPlans.for({ name: vm.name, group: vm.group })["extension"];
  if (!isBootstrapping(extension.properties) || !isJsonObject(plan)) return undefined;
  const { exit = 0, stdout = "", stderr = "" } = plan as { exit?: number; stdout?: string; stderr?: string };
  return { exitCode: exit, stdout, stderr };
};

const commandOf = ({ properties, secrets }: StoredResource<Extension>): string => {
  const command = secrets?.["commandToExecute"] ?? properties.settings?.["commandToExecute"];
  return typeof command === "string" ? command : "";
};

/** Runs an extension and ends its operation by what comes of it. */
const runExtension = async (id: string, world: World): Promise<void> => {
  const extension = resourceById(id, world) as StoredResource<Extension> | undefined;
  const vm = vmOf(id, world);
  const operation = world.operations.running(id);
  if (extension === undefined || vm === undefined || operation?.verb !== "PUT" || operation.error !== undefined) return;
  world.timers.set(`${timeoutTask}-${operation.id}`, timeoutTask, world.delays.extensionMs);
  const script = commandOf(extension);
  // Who runs no command only installs something, but needs the agent for it as well.
  const ran = await runInside(vm, planned(extension, vm, world) === undefined ? script : "", world);
  if (world.operations.find(operation.id)?.status !== "InProgress" || ran === undefined) return;
  const result = planned(extension, vm, world) ?? ran;
  extension.properties = { ...extension.properties, ended: result };
  world.timers.cancel(`${timeoutTask}-${operation.id}`);
  world.operations.complete(operation.id, result.exitCode === 0 ? undefined : failureOf(extension, result));
  await world.save();
};

/** Defines what happens to an extension of which nothing is heard. */
export const defineExtensionTimeout = (world: World): void => {
  world.timers.define(timeoutTask, (key) => {
    const operation = world.operations.find(key.slice(timeoutTask.length + 1));
    if (operation === undefined) return;
    world.operations.complete(operation.id, {
      code: "VMExtensionProvisioningTimeout",
      message: `Provisioning of VM extension ${operation.target.split("/").at(-1) ?? ""} has timed out. Extension provisioning has taken too long to complete. The extension last reported "No status reported.".`,
    });
  });
};

/** Goes on with the extensions that were running when the simulator stopped. */
export const resumeExtensions = (world: World): void => {
  for (const { id } of world.state.resources.filter(({ type }) => type === extensionType)) start(id, world);
};

const start = (id: string, world: World): void => {
  runExtension(id, world).catch((error: unknown) => {
    if (!world.stopped.aborted) world.log.error("an extension cannot be run", { id, error: String(error) });
  });
};

const hideSecrets = (resource: StoredResource<Extension>): void => {
  const { protectedSettings, ...properties } = resource.properties as Extension & { readonly protectedSettings?: Json };
  resource.properties = properties;
  resource.secrets = protectedSettings ?? {};
};

/** Extensions of machines. They run the command that their settings name, inside of the machine. */
export const vmExtensions: ResourceKind<Extension> = {
  type: extensionType,
  form: "compute",
  put: { created: 201, updated: 200, state: "Creating", asyncOperation: true },
  delete: { status: 202, asyncOperation: true, location: true },
  query: { get: { $expand: text({ enum: ["instanceView"] }) } },
  properties: object(
    {
      publisher: text({ min: 1 }),
      type: text({ min: 1 }),
      typeHandlerVersion: text({ min: 1 }),
      autoUpgradeMinorVersion: boolean,
      enableAutomaticUpgrade: boolean,
      suppressFailures: boolean,
      forceUpdateTag: text(),
      settings: { ...json, nullable: true },
      protectedSettings: { ...json, nullable: true },
      instanceView: readOnly,
      provisioningState: readOnly,
    },
    ["publisher", "type", "typeHandlerVersion"],
  ),
  durationMs: () => undefined,
  prepare: (change, world) => {
    check(change, world);
    hideSecrets(change.resource);
  },
  written: ({ resource }, _operation, world) => start(resource.id, world),
  // What it ended with is in the instance view only.
  derived: () => ({ ended: undefined }),
  expanded: (resource, { $expand: expand }) =>
    expand === "instanceView" ? { instanceView: extensionView(resource) } : {},
  finished: ({ id }, error, world) => {
    const vm = vmOf(id, world);
    // A machine is what became of its last extension.
    if (vm !== undefined && vm.state !== "Deleting" && vm.state !== "Creating") {
      vm.state = error === undefined ? "Succeeded" : "Failed";
    }
  },
};
