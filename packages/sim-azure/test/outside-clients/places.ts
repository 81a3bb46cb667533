import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Clients of Azure that others wrote, with the versions that the simulator is tried against. */
export const versions = {
  "@azure/arm-compute": "25.1.1",
  "@azure/arm-network": "39.0.0",
  "@azure/arm-privatedns": "4.0.0",
  "@azure/arm-resources": "8.0.0",
} as const;

export const cliVersion = "2.91.0";

/** Where they are installed: too large to be dependencies of everybody who works here. */
const folder = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "capstan", "azure-clients");
export const sdkFolder = join(folder, "sdk");
export const cliFolder = join(folder, "cli");
export const cliProgram = join(cliFolder, "bin", "az");

/** Files that are there once an installation of just these versions has come to its end. */
export const sdkMark = join(sdkFolder, `whole-${Object.values(versions).join("-")}`);
export const cliMark = join(cliFolder, `whole-${cliVersion}`);

export const hasSdk = (): boolean => existsSync(sdkMark);
export const hasCli = (): boolean => existsSync(cliMark);

/** What a client of Azure's SDK exports. */
export const loadSdk = async <M>(name: keyof typeof versions): Promise<M> =>
  (await import(pathToFileURL(join(sdkFolder, "node_modules", name, "dist", "esm", "index.js")).href)) as M;
