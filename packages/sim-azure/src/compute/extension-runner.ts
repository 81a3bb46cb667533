import { isJsonObject } from "@capstan/schema";
import { resourceById } from "../resources/find.ts";
import type { OperationError, StoredResource } from "../state.ts";
import type { World } from "../world.ts";
import { runInside } from "./agent.ts";
import { type CommandResult, type Extension, isExtension, resultMessage } from "./extension-status.ts";
import type { Vm } from "../vm.ts";

const timeoutTask = "extension-timeout";

const isBootstrapping = ({ type }: Extension): boolean => /^CAPZ\.(?:Linux|Windows)\.Bootstrapping$/i.test(type);

/** The machine of an extension. */
export const vmOf = (extension: string, world: Pick<World, "state">): StoredResource<Vm> | undefined =>
  resourceById(extension.replace(/\/extensions\/[^/]+$/i, ""), world) as StoredResource<Vm> | undefined;

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
  for (const { id } of world.state.resources.filter(isExtension)) startExtension(id, world);
};

/** Begins to run an extension. */
export const startExtension = (id: string, world: World): void => {
  runExtension(id, world).catch((error: unknown) => {
    if (!world.stopped.aborted) world.log.error("an extension cannot be run", { id, error: String(error) });
  });
};
