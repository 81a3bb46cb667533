import { own } from "@capstan/schema";
import type { Handover, Host } from "../boot/boot-program.ts";
import type { StoredDisk } from "../state.ts";
import type { Action } from "./messages.ts";

export interface ActionContext {
  readonly host: Host;
  readonly signal: AbortSignal;
  /** Another system takes over, now or after the action has been reported. */
  readonly handOver: (handover: Handover) => void;
}

type Environment = Readonly<Record<string, string>>;
type Run = (environment: Environment, context: ActionContext, command: readonly string[]) => Promise<void>;

/**
 * Runs the container of an action on the model of a machine: images go onto disks, files into them. Throws what the container would end
 * with. What is not modelled is named on the console and counts as success.
 */
export const runAction = async (
  { image, environment, command }: Pick<Action, "image" | "environment" | "command">,
  context: ActionContext,
): Promise<void> => {
  const name = programOf(image);
  const run = own(programs, name);
  if (run === undefined) {
    context.host.print(`${name}: not modelled, taken as success`);
    return;
  }
  await run(Object.fromEntries(environment.map(pair)), context, command);
};

const pair = (text: string): readonly [string, string] => {
  const at = text.indexOf("=");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
};

/** `quay.io/tinkerbell/actions/writefile:latest` is `writefile`. */
const programOf = (image: string): string => image.replace(/@.*$/, "").split("/").at(-1)!.replace(/:.*$/, "");

const required = (environment: Environment, name: string): string => {
  const value = environment[name];
  if (value === undefined || value === "") throw new Error(`the environment of the action has no ${name}`);
  return value;
};

/** The disk of a device or of a partition on it. */
const diskOf = (device: string, { host }: ActionContext): StoredDisk => {
  const found = host.machine.disks.find(
    (disk) =>
      device === disk.device ||
      (/^(?:p|-part)?\d+$/.test(device.slice(disk.device.length)) && device.startsWith(disk.device)),
  );
  if (found === undefined) throw new Error(`${device}: no such device`);
  return found;
};

const writeImage: Run = async (environment, context) => {
  const image = required(environment, "IMG_URL");
  const disk = diskOf(required(environment, "DEST_DISK"), context);
  await context.host.erase();
  disk.image = image;
  disk.files = {};
  await context.host.save();
  context.host.print(`wrote ${image} to ${disk.device}`);
};

const writeFile: Run = async (environment, context) => {
  const disk = diskOf(required(environment, "DEST_DISK"), context);
  const path = required(environment, "DEST_PATH");
  if (disk.image === undefined) throw new Error(`${disk.device}: there is no file system to write ${path} to`);
  const mode = environment["MODE"];
  disk.files[path] = { content: environment["CONTENTS"] ?? "", ...(mode === undefined ? {} : { mode }) };
  await context.host.save();
};

const kexec: Run = async (environment, context) => {
  const disk = diskOf(required(environment, "BLOCK_DEVICE"), context);
  if (disk.image === undefined) throw new Error(`${disk.device}: there is no kernel on it`);
  context.handOver("kexec");
  await forever(context);
};

const reboot: Run = async (_, context) => {
  context.handOver("reboot");
  await forever(context);
};

/** The system is gone: no one reports an action that ended it. */
const forever = ({ signal }: ActionContext): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    if (signal.aborted) reject(signal.reason as Error);
  });

/** Starts another container after a while, so that the action is reported before. */
const waitAndRun: Run = async (environment, context, command) => {
  const image = required(environment, "IMAGE");
  const seconds = Number(environment["WAIT_SECONDS"] ?? "10");
  const later = async (): Promise<void> => {
    await context.host.clock.sleep(seconds * 1000, { signal: context.signal });
    const entries = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
    await runAction({ image, environment: entries, command }, context);
  };
  later().catch((error: unknown) => {
    if (!context.signal.aborted) context.host.print(`${programOf(image)}: ${(error as Error).message}`);
  });
};

const programs: Readonly<Record<string, Run>> = {
  oci2disk: writeImage,
  image2disk: writeImage,
  qemuimg2disk: writeImage,
  writefile: writeFile,
  kexec,
  reboot,
  waitdaemon: waitAndRun,
};
