import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A program that runs beside the bench, and ends with it. Its output goes to a file. */
export interface Child {
  readonly name: string;
  readonly pid: number;
  readonly process: ChildProcess;
  /** All that it printed. */
  log(): string;
  /** Description of its end; `undefined` while it runs. */
  readonly ended: string | undefined;
  /** Asks it to end, and kills it after half a minute. */
  stop(): Promise<void>;
}

export interface ChildOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Default: this process's environment. */
  readonly env?: NodeJS.ProcessEnv;
  /** For its output, in `<name>.log`. */
  readonly folder: string;
  /** A channel for messages. Default: none. */
  readonly messages?: boolean;
}

const patienceMs = 30_000;

/** Rejects when the program cannot be run. */
export const startChild = async ({ name, command, args, env, folder, messages }: ChildOptions): Promise<Child> => {
  const file = join(folder, `${name}.log`);
  const output = openSync(file, "a");
  const child = spawn(command, args, {
    stdio: ["ignore", output, output, ...(messages === true ? (["ipc"] as const) : [])],
    // Ctrl-C is the bench's: it ends the programs in their order.
    detached: true,
    env,
  });
  closeSync(output);
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  const exit = once(child, "exit").finally(() => process.removeListener("exit", kill));
  exit.catch(() => undefined);
  await once(child, "spawn");
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    name,
    pid: child.pid ?? 0,
    process: child,
    log: () => readFileSync(file, "utf8"),
    get ended() {
      return hasEnded() ? (child.signalCode ?? `status ${child.exitCode}`) : undefined;
    },
    stop: async () => {
      if (hasEnded()) return;
      child.kill("SIGTERM");
      const timer = setTimeout(kill, patienceMs);
      await exit;
      clearTimeout(timer);
    },
  };
};
