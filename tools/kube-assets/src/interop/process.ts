import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface ProcessOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** For its log. */
  readonly folder: string;
  /** Tells lines of the log that say error. */
  readonly isError: RegExp;
}

/** A manager that runs. */
export interface RunningManager {
  readonly name: string;
  readonly pid: number;
  log(): string;
  /** Lines of the log that say error. */
  errors(): readonly string[];
  /** Description of its end; `undefined` while it runs. */
  readonly ended: string | undefined;
  stop(): Promise<void>;
}

/** Starts a program whose output goes to `<name>.log`; it dies with this process. */
export const startProcess = ({ name, command, args, env, folder, isError }: ProcessOptions): RunningManager => {
  const file = join(folder, `${name}.log`);
  const output = openSync(file, "a");
  const child: ChildProcess = spawn(command, args, { stdio: ["ignore", output, output], env });
  closeSync(output);
  const ended = once(child, "exit");
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  const log = (): string => readFileSync(file, "utf8");
  return {
    name,
    // Shells before it have become the program itself.
    pid: child.pid ?? 0,
    log,
    errors: () =>
      log()
        .split("\n")
        .filter((line) => isError.test(line)),
    get ended() {
      const { exitCode, signalCode } = child;
      return exitCode === null && signalCode === null ? undefined : (signalCode ?? `status ${exitCode}`);
    },
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
      process.removeListener("exit", kill);
    },
  };
};
