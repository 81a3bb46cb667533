import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startMachineProcess } from "./machine-process.ts";

const start = (command: readonly [string, ...string[]], PATH = process.env["PATH"]) => {
  const folder = mkdtempSync(join(tmpdir(), "machine-process-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const log = join(folder, "log");
  return { log, started: startMachineProcess(command, { environment: { PATH }, log }) };
};

const endOf = (started: ReturnType<typeof start>["started"]): Promise<string> =>
  new Promise((resolve) => started.onEnd(resolve));

it("says why the process of a machine could not be started, and lets it be removed", async () => {
  const { started } = start(["true"], "/nowhere");
  const message = await endOf(started);
  expect(message).toContain("its first process could not be started: spawn setpriv ENOENT");
  expect(started.ended()).toBe(message);
  expect(started.firstProcess()).toBeUndefined();
  await started.kill();
});

it("says how a process has ended, and keeps what that said", async () => {
  const { log, started } = start(["sh", "-c", "echo out of order >&2; exit 7"]);
  expect(await endOf(started)).toBe("its first process has ended (7)");
  expect(readFileSync(log, "utf8")).toBe("out of order\n");
});

it("kills a process that runs", async () => {
  const { started } = start(["sleep", "3600"]);
  expect(started.ended()).toBeUndefined();
  await started.kill();
  expect(started.ended()).toBe("its first process has ended (SIGKILL)");
});
