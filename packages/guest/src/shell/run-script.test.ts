import type { GuestRunOptionsV1 } from "@capstan/contract/v1";
import { fakeClock } from "@capstan/testing";
import { describe, expect, it } from "vitest";
import { Disk } from "../boot/disk.ts";
import { runScript } from "./run-script.ts";
import { basePrograms } from "./shell.ts";

const start = (script: string, disk = new Disk(), more: GuestRunOptionsV1 = {}) => {
  const clock = fakeClock();
  const off = new AbortController();
  const ended = runScript(script, { clock, disk, programs: basePrograms, signal: off.signal, ...more });
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

  it("prints to its errors what it says there", async () => {
    const { end, disk } = start(
      "echo out; echo why >&2; { echo more; } >&2; test -e /none || { echo x 1>&2 && exit 3; }",
    );
    expect(await end()).toEqual({ exitCode: 3, stdout: "out\nmore\n", stderr: "why\nx\n" });
    expect(disk.stat("2")).toBeUndefined();
  });

  it.each([
    "until test -e /done; do sleep 1",
    "until test -e /done; sleep 1; done",
    "do echo x; done",
    "for x in a; do :; done",
  ])("fails when it cannot be read: %s", async (script) => {
    expect(await start(script).end()).toMatchObject({ exitCode: 2, stdout: "" });
  });

  it("begins in its folder, with its variables", async () => {
    const disk = new Disk();
    disk.write("/opt/kit/data/file", "inside");
    const script = "cp data/file /etc/ && echo \"$WHO ${WHAT} \\$WHO $MISSING.\" >> /etc/said; echo '$WHO' $WHO";
    const { end } = start(script, disk, { directory: "/opt/kit", environment: { WHO: "me", WHAT: "it" } });
    disk.write("/etc/hosts", "");
    expect(await end()).toMatchObject({ exitCode: 0, stdout: "$WHO me\n" });
    expect(disk.text("/etc/file")).toBe("inside");
    expect(disk.text("/etc/said")).toBe("me it $WHO .\n");
  });

  it.each([
    ["set -e\ntest -e /none\necho after", 1, ""],
    ["set -eu\ntest -e /none || echo none\ntest -e /none && echo some\necho after", 0, "none\nafter\n"],
    ["echo before\nexit 10\necho after", 10, "before\n"],
    ["sh -c 'exit 3' || echo inner", 0, "inner\n"],
  ])("ends where it says: %j", async (script, exitCode, stdout) => {
    expect(await start(script).end()).toMatchObject({ exitCode, stdout });
  });

  it("ends with the machine", async () => {
    const { ended, off } = start("until test -e /done; do sleep 5; done");
    off.abort();
    await expect(ended).rejects.toThrow();
  });
});
