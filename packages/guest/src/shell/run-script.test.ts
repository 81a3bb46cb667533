import { fakeClock } from "@capstan/testing";
import { describe, expect, it } from "vitest";
import { Disk } from "../boot/disk.ts";
import { runScript } from "./run-script.ts";
import { basePrograms } from "./shell.ts";

const start = (script: string, disk = new Disk()) => {
  const clock = fakeClock();
  const off = new AbortController();
  const ended = runScript(script, { clock, disk, programs: basePrograms, signal: off.signal });
  let result: Awaited<typeof ended> | undefined;
  ended.then(
    (value) => (result = value),
    () => undefined,
  );
  const end = async () => {
    await clock.advanceUntil(() => result !== undefined);
    return result;
  };
  return { clock, disk, end, ended, off, begun: clock.now() };
};

describe("a script inside a machine", () => {
  it("waits until something is there", async () => {
    const { clock, disk, end, begun } = start("until test -e /done; do sleep 5; done; echo there");
    await clock.advance(12_000);
    disk.write("/done", "");
    expect(await end()).toEqual({ exitCode: 0, stdout: "there\n", stderr: "" });
    expect(clock.now() - begun).toBe(15_000);
  });

  it("waits no longer than it is to", async () => {
    const { clock, end, begun } = start("timeout 1m sh -c 'until test -e /done || test -e /lost; do sleep 7; done'");
    expect(await end()).toMatchObject({ exitCode: 124 });
    expect(clock.now() - begun).toBe(60_000);
  });

  it("keeps what it prints apart from what goes wrong, and says how it ended", async () => {
    const { end } = start("test -e /done || { echo lost; tail -c 10 /none; false; }");
    expect(await end()).toEqual({
      exitCode: 1,
      stdout: "lost\n",
      stderr: "tail: /none: No such file or directory\n",
    });
  });

  it.each([
    "until test -e /done; do sleep 1",
    "until test -e /done; sleep 1; done",
    "do echo x; done",
    "for x in a; do :; done",
  ])("fails when it cannot be read: %s", async (script) => {
    expect(await start(script).end()).toMatchObject({ exitCode: 2, stdout: "" });
  });

  it("ends with the machine", async () => {
    const { ended, off } = start("until test -e /done; do sleep 5; done");
    off.abort();
    await expect(ended).rejects.toThrow();
  });
});
