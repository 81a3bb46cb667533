#!/usr/bin/env node
// In a clone of the repository it runs from sources, without a build.
import { spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(realpathSync(fileURLToPath(import.meta.url)));
const source = join(here, "../src/main.ts");
const condition = "--conditions=@capstan/source";

if (!existsSync(source)) await import(join(here, "../dist/main.js"));
else if (process.execArgv.includes(condition)) await import(source);
else if (process.execve === undefined) {
  const { status } = spawnSync(process.execPath, [condition, source, ...process.argv.slice(2)], { stdio: "inherit" });
  process.exitCode = status ?? 1;
} else {
  process.execve(process.execPath, [process.execPath, condition, source, ...process.argv.slice(2)], process.env);
}
