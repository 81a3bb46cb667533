// Runs every example as the command in its first lines says it, from the build, until every Machine runs, and takes it down again.
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** Runs the built command; what it prints is shown when it fails. */
const capstan = (args: readonly string[]): boolean => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["apps/cli/dist/main.js", ...args], {
    encoding: "utf8",
  });
  if (status !== 0) console.log(`${stdout}${stderr}capstan ${args.join(" ")}: exit ${status}`);
  return status === 0;
};

const runs = (file: string): boolean => {
  const said = /capstan (up --simulate \S+ -f \S+)/.exec(readFileSync(file, "utf8"))?.[1];
  if (said === undefined || !said.endsWith(file)) {
    console.log(`${file}: its first lines have no "capstan up --simulate NAMES -f ${file}"`);
    return false;
  }
  const folder = mkdtempSync(join(tmpdir(), "capstan-example-"));
  const place = ["--data-dir", folder];
  try {
    let since = performance.now();
    if (!capstan([...said.split(" "), ...place, "--until", "running", "--timeout", "120s"])) return false;
    const up = seconds(since);
    since = performance.now();
    if (!capstan(["down", ...place, "--timeout", "120s"])) return false;
    console.log(`${file}: every Machine runs after ${up}, taken down in ${seconds(since)}`);
    return true;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const failed = globSync("examples/**/*.yaml")
  .toSorted()
  .filter((file) => !runs(file));
if (failed.length > 0) {
  console.log(`failed: ${failed.join(", ")}`);
  process.exitCode = 1;
}
