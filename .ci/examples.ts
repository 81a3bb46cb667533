// Runs every example as the command in its first lines says it, from the build, until every Machine runs, and takes it down again. One
// whose first lines have "It never runs. It says: WORDS" has to end with these words instead.
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** Runs the built command, which fails with `words`, if any, and warns of nothing otherwise; what it prints is shown when it ends in another way. */
const capstan = (args: readonly string[], words?: string): boolean => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["apps/cli/dist/main.js", ...args], {
    encoding: "utf8",
  });
  const warns = / (?:WARN|ERROR) /.test(stderr);
  const isAsSaid = words === undefined ? status === 0 && !warns : status === 1 && `${stdout}${stderr}`.includes(words);
  if (!isAsSaid) console.log(`${stdout}${stderr}capstan ${args.join(" ")}: exit ${status}`);
  return isAsSaid;
};

/** What is to fail ends by its time alone, so `wait` for that is short; everything else has 120 s. */
const runs = (file: string, wait: string): boolean => {
  const text = readFileSync(file, "utf8");
  const said = /capstan (up --simulate \S+ -f \S+)/.exec(text)?.[1];
  const words = /^# It never runs\. It says: *(.+)$/m.exec(text)?.[1];
  if (said === undefined || !said.endsWith(file)) {
    console.log(`${file}: its first lines have no "capstan up --simulate NAMES -f ${file}"`);
    return false;
  }
  const folder = mkdtempSync(join(tmpdir(), "capstan-example-"));
  const place = ["--data-dir", folder];
  try {
    let since = performance.now();
    const timeout = words === undefined ? "120s" : wait;
    const flags = ["--until", "running", "--timeout", timeout, "--log-level", "warn"];
    if (!capstan([...said.split(" "), ...place, ...flags], words)) return false;
    const up = seconds(since);
    since = performance.now();
    if (!capstan(["down", ...place, "--timeout", "120s"])) return false;
    const reached = words === undefined ? "every Machine is running" : `it says "${words}"`;
    console.log(`${file}: ${reached} after ${up}, taken down in ${seconds(since)}`);
    return true;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const files = globSync("examples/**/*.yaml").toSorted();
// As with test files: what failed runs once more, alone, and is named when it passes then.
const failed = files
  .filter((file) => !runs(file, "40s"))
  .filter((file) => {
    const failedAgain = !runs(file, "120s");
    if (!failedAgain) console.log(`UNSTABLE ${file}`);
    return failedAgain;
  });
if (failed.length > 0) {
  console.log(`failed: ${failed.join(", ")}`);
  process.exitCode = 1;
}
