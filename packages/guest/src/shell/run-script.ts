import type { Clock } from "@capstan/contract";
import type { GuestRunV1, GuestRunOptionsV1 } from "@capstan/contract/v1";
import { Console } from "../boot/console.ts";
import type { Disk } from "../boot/disk.ts";
import { Effort, EffortError } from "./effort.ts";
import { type Program, runCommand, ScriptExit, type ShellOptions } from "./shell.ts";

/** `timeout` says by this status that time was over. */
const timedOut = 124;

export interface ScriptOptions extends Pick<GuestRunOptionsV1, "directory" | "environment"> {
  readonly clock: Clock;
  readonly disk: Disk;
  readonly programs: Readonly<Record<string, Program>>;
  readonly signal: AbortSignal;
}

/** `30`, `30s`, `5m`. */
const milliseconds = (text = ""): number => {
  const [, count = "0", unit = "s"] = /^([\d.]+)([smh]?)$/.exec(text) ?? [];
  return Number(count) * ({ m: 60_000, h: 3_600_000 }[unit] ?? 1000);
};

/** The status with which a script ends, by itself or by `exit`. */
const ended = async (script: Promise<number>): Promise<number> => {
  try {
    return await script;
  } catch (error) {
    if (error instanceof ScriptExit) return error.status;
    throw error;
  }
};

/** Runs a script as an agent inside a machine does: with what waits, and its output apart from the machine's console. */
export const runScript = async (
  script: string,
  { clock, directory = "/", disk, environment, programs, signal }: ScriptOptions,
): Promise<GuestRunV1> => {
  let stdout = "";
  let stderr = "";
  const console = new Console({ clock, mirror: (line) => void (stderr += `${line}\n`) });
  const effort = new Effort();
  const optionsFor = (within: AbortSignal): ShellOptions => ({
    effort,
    disk: disk.within(directory),
    console,
    signal: within,
    isScript: true,
    environment,
    stopsAtFailure: /^\s*set\s+-\w*e/m.test(script),
    output: (text) => void (stdout += text),
    errors: (text) => void (stderr += text),
    programs: {
      ...programs,
      sleep: async ({ args: [time] }) => {
        await clock.sleep(milliseconds(time), { signal: within });
        return 0;
      },
      set: () => 0,
      exit: ({ args: [status = "0"] }) => {
        throw new ScriptExit(Number(status));
      },
      sh: ({ args: [flag, text = ""] }) => (flag === "-c" ? ended(runCommand(text, optionsFor(within))) : 2),
      timeout: ({ args: [time, ...command] }) => runLimited(milliseconds(time), command, within),
    },
  });
  const runLimited = async (ms: number, command: readonly string[], within: AbortSignal): Promise<number> => {
    const over = new AbortController();
    const cancel = clock.schedule(ms, () => over.abort());
    try {
      return await runCommand([...command], optionsFor(AbortSignal.any([within, over.signal])));
    } catch (error) {
      within.throwIfAborted();
      if (!over.signal.aborted) throw error;
      return timedOut;
    } finally {
      cancel();
    }
  };
  try {
    const exitCode = await ended(runCommand(script, optionsFor(signal)));
    return { exitCode, stdout, stderr };
  } catch (error) {
    if (error instanceof EffortError) return { exitCode: 1, stdout, stderr: `${stderr}${error.message}\n` };
    throw error;
  }
};
