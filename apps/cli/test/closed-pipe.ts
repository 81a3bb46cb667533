import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "vitest";

const main = join(import.meta.dirname, "../src/main.ts");

/** The command as a process. */
export const start = (line: string) =>
  spawn(process.execPath, ["--conditions=@capstan/source", main, ...line.split(" ")], {
    stdio: ["ignore", "pipe", "pipe"],
  });

/** Starts it, and reads nothing of what it says. */
export const expectEndWithoutReader = async (line: string): Promise<void> => {
  const child = start(line);
  child.stdout.destroy();
  const [err, [status]] = await Promise.all([text(child.stderr), once(child, "close")]);
  expect({ status, err }).toEqual({ status: expect.any(Number) as number, err: "" });
};
