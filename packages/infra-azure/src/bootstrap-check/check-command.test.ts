import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkCommand, checkName, lookCommand } from "./check-command.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "bootstrap-check-"));
});
afterEach(() => rmSync(root, { recursive: true }));

const put = (path: string, text = ""): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

/** A command as the shell of this computer runs it, with the machine's files in a folder. */
const runInFolder = (text: string): { readonly status: number; readonly stdout: string } => {
  const command = text.replaceAll(/(?<= )\/(?=run|var)/g, `${root}/`);
  try {
    return { status: 0, stdout: execFileSync("/bin/sh", ["-c", command], { encoding: "utf8", stdio: "pipe" }) };
  } catch (error) {
    return error as { readonly status: number; readonly stdout: string };
  }
};

const run = (waitMs: number) => runInFolder(checkCommand("Linux", waitMs));
const look = () => runInFolder(lookCommand("Linux").lines.join("\n"));

const sentinel = "run/cluster-api/bootstrap-success.complete";
const finished = "var/lib/cloud/instance/boot-finished";
const log = "var/log/cloud-init-output.log";

describe("success is the sentinel of the bootstrap provider alone, with exit code 0, and everything else another one", () => {
  it("is content with the sentinel", () => {
    put(sentinel);
    expect(run(300_000)).toEqual({ status: 0, stdout: "" });
  });

  it("fails at once when cloud-init is over without it, and shows the end of its log", () => {
    put(finished);
    put(log, `${"x".repeat(5000)}\n[kubeadm] error execution phase preflight\n`);
    const { status, stdout } = run(300_000);
    expect(status).toBe(1);
    expect(stdout.startsWith(`${checkName} failed\nx`)).toBe(true);
    expect(stdout.endsWith("\n[kubeadm] error execution phase preflight\n")).toBe(true);
    expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(4096);
  });

  it("fails when time is over, and says that", () => {
    put(log, "still waiting\n");
    expect(run(1000)).toMatchObject({ status: 1, stdout: `${checkName} timed-out\nstill waiting\n` });
  });
});

it("the wait is configurable: it waits as long as it is told, a little less than whoever waits for its answer", () => {
  expect(checkCommand("Linux", 300_000)).toContain("timeout 240 ");
  expect(checkCommand("Linux", 1_800_000)).toContain("timeout 1740 ");
  expect(checkCommand("Windows", 300_000)).toContain("AddSeconds(240)");
});

it("Windows has the same sentinel on the system's drive, and a command of its own", () => {
  const command = checkCommand("Windows", 300_000);
  expect(command).toMatch(/^powershell\.exe -NoProfile -Command "[^"]*"$/);
  expect(command).toContain("Test-Path 'C:/run/cluster-api/bootstrap-success.complete'");
  expect(command).toContain("exit 0");
  expect(command).toContain("exit -2");
});

describe("a look without waiting", () => {
  it.each([
    ["sees the sentinel", [sentinel, finished], `${checkName} succeeded\n`],
    ["sees that cloud-init has ended without it", [finished], `${checkName} failed\nso far\n`],
    ["sees that it goes on", [], `${checkName} running\nso far\n`],
  ])("on Linux %s", (_case, files, stdout) => {
    put(log, "so far\n");
    for (const file of files) put(file);
    expect(look()).toEqual({ status: 0, stdout });
  });

  it("has a script for PowerShell, whose output fits into what Azure shows", () => {
    const { lines, os } = lookCommand("Windows");
    expect(os).toBe("Windows");
    expect(lines[0]).toContain("Test-Path 'C:/run/cluster-api/bootstrap-success.complete'");
    expect(lines[1]).toContain("Length - 3000");
  });
});
