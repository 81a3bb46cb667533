import { objectStoreNames } from "./modules/object-stores.ts";
import { providerNames } from "./modules/providers.ts";
import type { UpOptions } from "./up/up-options.ts";
import type { View } from "./view/view.ts";

export { applyInstallation } from "./install/apply-installation.ts";
export { composeManager } from "./providers/compose-manager.ts";
export { installCrds } from "./providers/install-crds.ts";
export { providerExtensions } from "./webhooks/local-webhooks.ts";
/** The parts of `capstan up` for programs that run it inside themselves: tests, benchmarks. */
export { openDataFolder } from "./up/data-folder.ts";
export type { DataFolder } from "./up/data-folder.ts";
export { startSystem, waitUntilRunning } from "./up/up.ts";
export type { RunningSystem, UpEnvironment } from "./up/up.ts";
export type { UpOptions } from "./up/up-options.ts";
export type { View } from "./view/view.ts";

/** The options of `capstan up --in-memory --simulate linode -f ...`. */
export const simulatedLinode = (files: readonly string[]): UpOptions => ({
  files,
  simulate: ["linode"],
  seeds: {},
  watch: false,
  forceConflicts: false,
  keepGoing: true,
  dataDir: "",
  inMemory: true,
  port: 0,
  providers: providerNames,
  objectStores: objectStoreNames,
  objectStoreServer: {},
  until: undefined,
  timeoutMs: 10 * 60_000,
  output: "text",
  logLevel: "silent",
  namespace: "default",
});

/** Shows nothing. */
export const silentView: View = { say: () => undefined, rows: () => undefined, close: () => undefined };
