import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import { startCommand } from "./command-process.ts";

const root = mkdtempSync(join(tmpdir(), "capstan-data-files-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(root, "data-"));
});

const start = (command = "up") =>
  startCommand([command, ...(command === "up" ? ["--simulate", "linode"] : []), "--data-dir", folder]);

it("all files of the management API missing beside others are missed, by up and by down, until everything is removed", async () => {
  await using first = start();
  await first.until(({ type }) => type === "next");
  expect(await first.stop()).toBe(0);
  for (const name of ["", "-wal", "-shm", ".identity.json"]) {
    rmSync(join(folder, `management.sqlite${name}`), { force: true });
  }
  for (const command of ["up", "down"]) {
    await using refused = start(command);
    const { message } = await refused.until(({ type }) => type === "error");
    expect(message).toMatch(
      /management\.sqlite and management\.sqlite\.identity\.json are missing, but according to parts\.json/,
    );
    expect(await refused.ended).toBe(1);
  }
  rmSync(folder, { recursive: true });
  await using anew = start();
  await anew.until(({ type }) => type === "next");
  expect(await anew.stop()).toBe(0);
});

it("a damaged data file costs one line, with nothing about what started before it", async () => {
  await using first = start();
  await first.until(({ type }) => type === "next");
  expect(await first.stop()).toBe(0);
  writeFileSync(join(folder, "management.sqlite"), "no database\n".repeat(1000));
  await using refused = start();
  expect(await refused.ended).toBe(1);
  expect(refused.events).toEqual([expect.objectContaining({ type: "error", code: "apiserver.storage_corrupt" })]);
});

it("a data folder that was removed meanwhile costs a line at the end", async () => {
  await using up = start();
  await up.until(({ type }) => type === "next");
  rmSync(folder, { recursive: true });
  expect(await up.stop()).toBe(1);
  const errors = up.events.filter(({ type }) => type === "error");
  expect(errors).toHaveLength(1);
  expect(errors[0]?.message).toMatch(/^--data-dir \S+: the folder was removed while the command was running$/);
});
