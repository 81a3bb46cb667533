import { existsSync } from "node:fs";
import { isCapstanError } from "@capstan/contract";
import { connect, createClient, loadKubeconfig } from "@capstan/kube";
import { countNoun } from "@capstan/kube-values";
import { cryptoRandom, proxyFromEnvironment, systemClock } from "@capstan/runtime";
import { objectStoreNames } from "../modules/object-stores.ts";
import { providerNames } from "../modules/providers.ts";
import { runCommand } from "../run-command.ts";
import { loggerFor, viewFor } from "../terminal.ts";
import { checkDataFiles, dataFileName } from "../up/check-data-files.ts";
import { openDataFolder, type DataFolder } from "../up/data-folder.ts";
import { rememberedParts } from "../up/remembered-parts.ts";
import { startSystem, type RunningSystem } from "../up/up.ts";
import type { View } from "../view/view.ts";
import type { DownOptions } from "./down-command.ts";
import { othersClusters, takeDown, type DownEnvironment } from "./take-down.ts";

/** `capstan down`: resolves to the exit status. With JSON output a failure is an event like the others, else it is thrown. */
export const runDown = async (options: DownOptions): Promise<number> => {
  const view = viewFor(options.output);
  return runCommand({ interrupted: 130, failures: { view, output: options.output } }, async (signal) => {
    const data = openDataFolder(options.dataDir, { temporary: false });
    checkDataFiles(data);
    if (!existsSync(data.file(dataFileName))) {
      view.say({ type: "down", text: `${data.path} contains no state`, fields: { deleted: 0 } });
      return 0;
    }
    await downIn(data, options, view, signal);
    return 0;
  });
};

const downIn = async (data: DataFolder, options: DownOptions, view: View, signal: AbortSignal): Promise<void> => {
  const environment = { clock: systemClock, view, signal };
  const system = await started(data, options, view);
  if (system === undefined) return besides(data, options, environment);
  try {
    const work = deleteAll({ ...environment, client: system.client }, options, data);
    await Promise.race([work, system.ended]);
    await work;
  } finally {
    await system.stop();
  }
};

/** The system of the folder, as `capstan up` ran it; `undefined`: it runs already. */
const started = async (data: DataFolder, options: DownOptions, view: View): Promise<RunningSystem | undefined> => {
  const parts = rememberedParts(data) ?? { simulate: [], providers: providerNames, objectStores: objectStoreNames };
  const up = {
    ...parts,
    // Nothing is handed to machines any more, so no one has to reach the store of this computer.
    objectStoreServer: {},
    files: [],
    seeds: {},
    watch: false,
    forceConflicts: false,
    keepGoing: true,
    inMemory: false,
    port: 0,
    until: undefined,
    namespace: "default",
    ...options,
  };
  const outside = {
    clock: systemClock,
    random: cryptoRandom,
    log: loggerFor(options),
    view: { ...view, rows: () => undefined },
    data,
    variables: (name: string) => process.env[name],
    proxyFor: proxyFromEnvironment(process.env),
  };
  try {
    return await startSystem(up, outside);
  } catch (error) {
    if (isCapstanError(error, "up.data_folder_in_use")) return undefined;
    throw error;
  }
};

/** With the system that another user runs on the folder. */
const besides = async (
  data: DataFolder,
  options: DownOptions,
  environment: Omit<DownEnvironment, "client">,
): Promise<void> => {
  const access = await loadKubeconfig({ file: data.file("kubeconfig") });
  const connection = connect({ access, clock: systemClock });
  try {
    await deleteAll({ ...environment, client: createClient(connection) }, options, data);
  } finally {
    await connection.close();
  }
};

const deleteAll = async (
  environment: DownEnvironment,
  { timeoutMs }: DownOptions,
  { path }: DataFolder,
): Promise<void> => {
  const { view } = environment;
  const deleted = await takeDown(environment, timeoutMs);
  const others = await othersClusters(environment);
  const left =
    others.length === 0
      ? `; the folder ${path} can be removed`
      : `; ${others.join(", ")} ${others.length === 1 ? "was" : "were"} not applied by capstan up and ${others.length === 1 ? "stays" : "stay"}`;
  const text = `${deleted === 0 ? "nothing to delete" : `${countNoun(deleted, "object")} deleted, with everything they owned`}${left}`;
  view.say({ type: "down", text, fields: { deleted, others } });
};
