import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cliFolder, cliVersion, hasCli, hasSdk, sdkFolder, versions } from "./places.ts";

const run = (program: string, ...args: readonly string[]): boolean =>
  spawnSync(program, args, { stdio: "inherit" }).status === 0;

/** `npm run azure-clients`: installs the clients that the outside tests use into the cache. */
if (!hasSdk()) {
  mkdirSync(sdkFolder, { recursive: true });
  writeFileSync(
    join(sdkFolder, "package.json"),
    JSON.stringify({ private: true, type: "module", dependencies: versions }, undefined, 2),
  );
  if (!run("npm", "install", "--prefix", sdkFolder, "--no-audit", "--no-fund")) process.exitCode = 1;
}
if (!hasCli()) {
  const made =
    run("python3", "-m", "venv", cliFolder) &&
    run(join(cliFolder, "bin", "pip"), "install", "-q", `azure-cli==${cliVersion}`);
  if (!made) process.stderr.write("azure-cli is not installed: it needs Python 3 with venv and pip\n");
}
