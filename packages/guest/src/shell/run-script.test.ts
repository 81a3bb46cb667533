import type { GuestRunOptionsV1 } from "@capstan/contract/v1";
import { fakeClock } from "@capstan/testing";
import { describe, expect, it } from "vitest";
import { Disk } from "../boot/disk.ts";
import { runScript } from "./run-script.ts";
import { basePrograms } from "./shell.ts";
import { textPrograms } from "./text-programs.ts";

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

describe("a script that never ends", () => {
  it.each([
    ["a loop", "until false; do true; done"],
    ["a loop in a shell", 'until false; do sh -c "true; true"; done'],
    ["a loop in a loop", "until false; do until false; do true; done; done"],
  ])("is ended, and others have their turns meanwhile: %s", async (_, script) => {
    let turns = 0;
    const turn = (): void => {
      turns += 1;
      if (turns < 1_000_000) next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    const { end } = start(script);
    expect(await end()).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("more than 100000 commands") as string,
    });
    clearImmediate(next);
    expect(turns).toBeGreaterThan(1000);
  });

  it("stops with its machine", async () => {
    const { ended, off } = start("until false; do true; done");
    setImmediate(() => off.abort());
    await expect(ended).rejects.toThrow(/abort/i);
  });

  it("fills no disk, and no memory", async () => {
    const doubles = Array.from({ length: 40 }, () => "cat /a /a > /b; cat /b /b > /a").join("; ");
    const { disk, end } = start(`echo ${"x".repeat(1000)} > /a; ${doubles}`);
    await end();
    expect(disk.paths().reduce((sum, path) => sum + (disk.stat(path)?.bytes.length ?? 0), 0)).toBeLessThan(10_000_000);
  });
});

it("finds paths by a pattern with many stars in a moment", async () => {
  const disk = new Disk();
  disk.write(`/${"a".repeat(5000)}`, "");
  disk.write("/one-two-three", "x");
  disk.write("/one/two", "x");
  const programs = { ...basePrograms, ...textPrograms };
  const options = { clock: fakeClock(), disk, programs, signal: new AbortController().signal };
  const { stdout } = await runScript(
    `sha256sum /${"a*".repeat(40)}b; sha256sum /one*two*ee; sha256sum /one*two`,
    options,
  );
  expect(stdout.match(/ {2}.*/g)).toEqual(["  /one-two-three"]);
});
