import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Runs a program to its end; its output. Rejects with the end of what it said. */
export const run = async (program: string, args: readonly string[]): Promise<string> => {
  try {
    const { stdout } = await execute(program, args, { maxBuffer: 64 * 1024 * 1024, timeout: 30 * 60_000 });
    return stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`${program} ${args[0] ?? ""} failed:\n${stdout.slice(-2000)}${stderr.slice(-2000)}`, {
      cause: error,
    });
  }
};
