import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { openedFiles } from "./opened-files.ts";

it("sees what files are opened and looked at, by whichever function, until it is no longer asked", async () => {
  const folder = mkdtempSync(join(tmpdir(), "capstan-opened-"));
  const [a, b, c, d, expected] = ["a", "b", "c", "d", "expected"].map((name) => join(folder, name));
  for (const file of [a!, b!, c!, d!, expected!]) writeFileSync(file, "x");
  {
    using opened = openedFiles((path) => path === expected);
    await readFile(a!);
    await (await open(pathToFileURL(b!))).close();
    statSync(c!);
    await readFile(expected!);
    expect([...opened.unexpected]).toEqual([a, b, c]);
  }
  statSync(d!);
  rmSync(folder, { recursive: true });
});
