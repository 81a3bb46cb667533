import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, it } from "vitest";
import { expectEndOnFullDisk, up } from "../full-disk.ts";

const disk = mkdtempSync(join(tmpdir(), "capstan-disk-"));

/** Why no small disk can be had here. */
const unavailable = (): string | undefined => {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=2500k,mode=700", "tmpfs", disk], { stdio: "pipe" });
    return undefined;
  } catch (error) {
    return `mounting a small disk needs root: ${(error as Error).message.trim().split("\n").at(-1) ?? ""}`;
  }
};

const reason = unavailable();
if (reason !== undefined) console.log(`the full disk is skipped: ${reason}`);

afterAll(() => {
  if (reason === undefined) execFileSync("umount", [disk]);
  rmSync(disk, { recursive: true, force: true });
});

describe.skipIf(reason !== undefined)("a disk that is full", () => {
  it("ends capstan up with one line, and what was acknowledged is there once it has room", async () => {
    const folder = join(disk, "data");
    await expectEndOnFullDisk(
      folder,
      () => up(folder),
      () => void execFileSync("mount", ["-o", "remount,size=64m", disk]),
    );
  });
});
