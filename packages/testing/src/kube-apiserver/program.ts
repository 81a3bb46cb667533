import { spawn } from "node:child_process";
import { openSync, closeSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CapstanError, type Clock } from "@capstan/contract";

/** A child process whose output goes to a file. */
export interface Program {
  readonly name: string;
  readonly pid: number;
  /** The last lines it printed. */
  logTail(): string;
  /** `undefined` while it runs, else how it ended. */
  readonly ended: string | undefined;
  /** Asks it to end, and kills it when it does not within ten seconds. */
  stop(): Promise<void>;
}

export interface ProgramOptions {
  readonly name: string;
  /** Folder of the executable. */
  readonly assets: string;
  readonly args: readonly string[];
  /** Folder for its output, in `<name>.log`. */
  readonly directory: string;
  readonly clock: Clock;
}

const graceMs = 10_000;

/** Starts a program; it dies with this process. Throws `testing.program_failed` when it cannot be run. */
export const startProgram = async (options: ProgramOptions): Promise<Program> => {
  const { name, clock } = options;
  const log = join(options.directory, `${name}.log`);
  const output = openSync(log, "a");
  const child = spawn(join(options.assets, name), options.args, { stdio: ["ignore", output, output] });
  closeSync(output);
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  let ended: string | undefined;
  const end = new Promise<void>((resolve) => {
    child.once("exit", (code, signal) => {
      ended = signal === null ? `exit code ${code}` : `signal ${signal}`;
      process.removeListener("exit", kill);
      resolve();
    });
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (cause) => {
      process.removeListener("exit", kill);
      reject(programFailed(`${name} cannot be started from ${options.assets}: ${cause.message}`, cause));
    });
  });
  return {
    name,
    pid: child.pid ?? 0,
    logTail: () => readFileSync(log, "utf8").split("\n").slice(-15).join("\n").trim(),
    get ended() {
      return ended;
    },
    stop: async () => {
      child.kill("SIGTERM");
      const cancel = clock.schedule(graceMs, kill);
      await end;
      cancel();
    },
  };
};

export const programFailed = (message: string, cause?: unknown): CapstanError =>
  new CapstanError({
    code: "testing.program_failed",
    reason: "ProgramFailed",
    message,
    retry: { kind: "never" },
    ...(cause === undefined ? {} : { cause }),
  });
