import type { Json, StoredResource } from "../state.ts";
import type { World } from "../world.ts";

/** Exit code and output of a command. */
export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The part of an extension that is looked at here. */
export interface Extension {
  readonly publisher: string;
  readonly type: string;
  readonly typeHandlerVersion?: string;
  readonly settings?: Json;
  /** Result of its last run. */
  readonly ended?: CommandResult;
}

export const extensionType = "Microsoft.Compute/virtualMachines/extensions";

/** Returns whether a resource is an extension of a machine, alone or in a scale set. */
export const isExtension = ({ type }: { readonly type: string }): boolean =>
  /\/virtualMachines\/extensions$/i.test(type);

/** The agent keeps the end of what a command prints. */
const keptBytes = 4096;

const tail = (text: string): string => Buffer.from(text).subarray(-keptBytes).toString();

/** Formats the output of a command as the agent reports it. */
const outputText = ({ stdout, stderr }: CommandResult): string =>
  `\n[stdout]\n${tail(stdout)}\n[stderr]\n${tail(stderr)}`;

/** The message of an extension that is over. */
export const resultMessage = (result: CommandResult): string =>
  result.exitCode === 0
    ? `Enable succeeded: ${outputText(result)}`
    : `Enable failed: failed to execute command: command terminated with exit status=${result.exitCode}${outputText(result)}`;

/** The instance view of an extension. */
export const extensionView = ({ name, state, properties }: StoredResource<Extension>, time?: string): Json => {
  const { publisher, type, typeHandlerVersion, ended } = properties;
  const over = state === "Succeeded" || state === "Failed";
  return {
    name,
    type: `${publisher}.${type}`,
    typeHandlerVersion,
    statuses: over
      ? [
          {
            code: `ProvisioningState/${state === "Succeeded" ? "succeeded" : "failed"}${ended === undefined || ended.exitCode === 0 ? "" : `/${ended.exitCode}`}`,
            level: state === "Succeeded" ? "Info" : "Error",
            displayStatus: state === "Succeeded" ? "Provisioning succeeded" : "Provisioning failed",
            message: ended === undefined ? "" : resultMessage(ended),
            ...(time !== undefined && { time }),
          },
        ]
      : [{ code: "ProvisioningState/transitioning", level: "Info", displayStatus: "Not Ready", message: "" }],
  };
};

const extensionsOf = (vm: string, { state }: Pick<World, "state">): readonly StoredResource<Extension>[] =>
  state.resources
    .filter((each) => isExtension(each) && each.id.toLowerCase().startsWith(`${vm.toLowerCase()}/`))
    .map((resource) => resource as unknown as StoredResource<Extension>);

/** The instance views of all extensions of a machine. */
export const extensionViews = (vm: string, world: Pick<World, "clock" | "state">): readonly Json[] =>
  extensionsOf(vm, world).map((resource) => extensionView(resource, new Date(world.clock.now()).toISOString()));

/** The programs in a machine that its extensions have installed, in the words of the agent. */
export const handlerViews = (vm: string, world: Pick<World, "state">): readonly Json[] =>
  extensionsOf(vm, world).map(({ properties: { publisher, type, typeHandlerVersion } }) => ({
    type: `${publisher}.${type}`,
    typeHandlerVersion,
    status: {
      code: "ProvisioningState/succeeded",
      level: "Info",
      displayStatus: "Ready",
      message: "Plugin enabled",
    },
  }));
