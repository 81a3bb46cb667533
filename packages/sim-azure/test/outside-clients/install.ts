import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cliFolder, cliMark, cliVersion, hasCli, hasSdk, sdkFolder, sdkMark, versions } from "./places.ts";

const run = (program: string, ...args: readonly string[]): boolean =>
  spawnSync(program, args, { stdio: "inherit" }).status === 0;

/** Afresh: what an installation that was broken off has left says nothing. */
const emptied = (folder: string): void => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
};

const installSdk = (): boolean => {
  process.stdout.write("Azure's SDK for JavaScript: 110 MB\n");
  emptied(sdkFolder);
  const dependencies = { private: true, type: "module", dependencies: versions };
  writeFileSync(join(sdkFolder, "package.json"), JSON.stringify(dependencies, undefined, 2));
  if (!run("npm", "install", "--prefix", sdkFolder, "--no-audit", "--no-fund")) return false;
  writeFileSync(sdkMark, "");
  return true;
};

const installCli = (): void => {
  process.stdout.write("azure-cli: 400 MB, which takes some minutes\n");
  emptied(cliFolder);
  const made =
    run("python3", "-m", "venv", cliFolder) &&
    // What is used of it is compiled when it is used.
    run(join(cliFolder, "bin", "pip"), "install", "--no-compile", `azure-cli==${cliVersion}`);
  if (made) writeFileSync(cliMark, "");
  else process.stderr.write("azure-cli is not installed: it needs Python 3 with venv and pip\n");
};

/** `npm run azure-clients`: installs the clients that the outside tests use into the cache; with `sdk`, those alone that npm has. */
if (!hasSdk() && !installSdk()) process.exitCode = 1;
if (!hasCli() && process.argv[2] !== "sdk") installCli();
