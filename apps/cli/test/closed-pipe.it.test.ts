import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";

const main = join(import.meta.dirname, "../src/main.ts");

const start = (line: string) =>
  spawn(process.execPath, ["--conditions=@capstan/source", main, ...line.split(" ")], {
    stdio: ["ignore", "pipe", "pipe"],
  });

describe("when nobody reads its output, the command ends without a word", () => {
  it.each([
    "--help",
    "up --help",
    "version",
    "completion zsh",
    "install --print",
    "up --in-memory",
    "up --in-memory -o json",
    "apiserver --in-memory --secure-port 0 --log-level silent",
  ])("capstan %s", async (line) => {
    const child = start(line);
    child.stdout.destroy();
    const [err, [status]] = await Promise.all([text(child.stderr), once(child, "close")]);
    expect({ status, err }).toEqual({ status: expect.any(Number) as number, err: "" });
  });

  it("also when it is the log that nobody reads", async () => {
    const child = start("up --in-memory --log-level debug");
    child.stderr.destroy();
    const [status, signal] = (await once(child, "close")) as [number | null, string | null];
    expect({ status, signal }).toEqual({ status: expect.any(Number) as number, signal: null });
  });
});
