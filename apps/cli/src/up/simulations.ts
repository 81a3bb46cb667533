import { resolve } from "node:path";
import { CapstanError, type Clock, type Logger, type Random } from "@capstan/contract";
import type { CreateSimulationV1, SimulationOutsideV1, SimulationV1 } from "@capstan/contract/v1";
import { createGuestHost, GuestNetwork, type GuestHost, type GuestHostOptions } from "@capstan/guest";
import { rememberSimulators } from "./simulator-places.ts";
import { loadFactory, type LoadedFactory } from "../modules/load-factory.ts";
import { simulationRole, type ModuleRole } from "../modules/module-role.ts";
import type { View } from "../view/view.ts";
import { writeFileAtomically } from "../write-file.ts";
import type { DataFolder } from "./data-folder.ts";
import { guestSeed } from "./guest-seed.ts";
import { environmentText } from "./environment-text.ts";
import { rememberedPort, rememberPort } from "./remembered-port.ts";

type SimulationFactory = Pick<LoadedFactory<SimulationOutsideV1, SimulationV1>, "said" | "make">;

const problem = ({ name, start, stop }: Readonly<Record<string, unknown>>): string | undefined => {
  if (typeof name !== "string" || !/^[a-z0-9][a-z0-9-]*$/.test(name)) {
    return `its name is ${JSON.stringify(name)}; it must be lowercase letters, digits and hyphens such as acme`;
  }
  return typeof start === "function" && typeof stop === "function" ? undefined : "it has no functions start and stop";
};

/** Loads the modules of simulations; `given` are there already, by name. */
export const loadSimulations = (
  names: readonly string[],
  given: Readonly<Record<string, CreateSimulationV1>> = {},
  { cwd = process.cwd(), role = simulationRole }: { readonly cwd?: string; readonly role?: ModuleRole } = {},
): Promise<readonly SimulationFactory[]> =>
  Promise.all(
    names.map(async (name): Promise<SimulationFactory> => {
      const create = given[name];
      if (create === undefined) return loadFactory(role, name, { cwd, problem });
      return { said: `${role.flag} ${name}`, make: async (outside) => create(outside) };
    }),
  );

export interface SimulationEnvironment {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly data: DataFolder;
  /** Called when a simulated cluster can keep nothing any more. */
  readonly onStorageFailed?: NonNullable<GuestHostOptions["onStorageFailed"]>;
  /** The version of Kubernetes in the image of a machine. Default: that of its cluster. */
  readonly versionOf?: NonNullable<GuestHostOptions["versionOf"]>;
  /** For tests that are not about machines: see `GuestHostOptions`. No command sets it. Default: that of the guest host. */
  readonly lenient?: boolean;
  /** Initial state of empty accounts, by the names of their clouds. */
  readonly seeds?: Readonly<Record<string, unknown>>;
  /** The same for the one cloud there is, whatever its name. */
  readonly seed?: () => unknown;
  /** Port of the API of the one cloud there is; 0: the one used last, or any free one. */
  readonly port?: number;
  /** Where the variables of its clients are written. Default: the data folder. */
  readonly environmentFile?: string | undefined;
  /** Called with a started cloud before its address is printed. */
  readonly prepare?: (simulation: SimulationV1) => Promise<void>;
}

/**
 * Returns the environment that this command gives a simulation. Adds the guests that it requests to `guests`, which the
 * caller stops.
 */
export const simulationOutside = (
  {
    clock,
    random,
    log,
    data,
    seed,
    seeds = {},
    port: apiPort = 0,
    versionOf,
    lenient,
    onStorageFailed,
  }: SimulationEnvironment,
  guests: GuestHost[],
  network = new GuestNetwork(),
): SimulationOutsideV1 => {
  const ports: string[] = [];
  const seedOf = (name: string): unknown => seed?.() ?? seeds[name];
  const folder = (...names: readonly string[]): string | undefined =>
    data.temporary ? undefined : data.folder(...names);
  return {
    clock,
    random,
    log,
    folder,
    port: async (name) => {
      const isApi = ports.push(name) === 1;
      return isApi && apiPort !== 0 ? apiPort : rememberedPort(name, { data });
    },
    guest: (name) => {
      const directory = folder(name, "guests");
      const { images, internet } = guestSeed(seedOf(name));
      const guest = createGuestHost({
        clock,
        random,
        network,
        log: log.child({ simulator: "guest" }),
        images,
        internet,
        ...(directory !== undefined && { directory }),
        ...(versionOf !== undefined && { versionOf }),
        ...(lenient !== undefined && { lenient }),
        ...(onStorageFailed !== undefined && { onStorageFailed }),
      });
      guests.push(guest);
      return guest;
    },
    seed: (name) => guestSeed(seedOf(name)).rest,
  };
};

/** Writes the variables of clients where it was asked for, else into the data folder: once for shells, once for programs. */
const writeEnvironment = (
  name: string,
  variables: SimulationV1["variables"],
  { data, environmentFile }: Pick<SimulationEnvironment, "data" | "environmentFile">,
): { readonly forPeople: string; readonly forPrograms: string } => {
  if (environmentFile !== undefined) {
    const file = resolve(environmentFile);
    writeFileAtomically(file, environmentText(variables, file), "write-environment");
    return { forPeople: file, forPrograms: file };
  }
  const names = [`${name}.env`, `${name}.json`] as const;
  for (const each of names) data.writeSecret(each, environmentText(variables, each));
  return { forPeople: resolve(data.file(names[0])), forPrograms: resolve(data.file(names[1])) };
};

const startSimulation = async (
  simulation: SimulationV1,
  { data, view, environmentFile, prepare }: SimulationEnvironment & { readonly view: View },
): Promise<void> => {
  await simulation.start();
  const { name, description, urls, control, variables } = simulation;
  for (const [server, url] of Object.entries(urls)) rememberPort(data, server, url);
  await prepare?.(simulation);
  const { forPeople, forPrograms } = writeEnvironment(name, variables, { data, environmentFile });
  view.say({
    type: "simulation",
    text: `${description}; environment of its clients: ${forPeople}`,
    fields: { name, urls, ...(control !== undefined && { control }), environment: forPrograms },
  });
};

const checkNames = (factories: readonly SimulationFactory[], simulations: readonly SimulationV1[]): void => {
  for (const [index, { name }] of simulations.entries()) {
    const first = simulations.findIndex((each) => each.name === name);
    if (first === index) continue;
    throw new CapstanError({
      code: "module.name_taken",
      reason: "NameTaken",
      message: `${factories[index]?.said}: the cloud ${name} is already simulated by ${factories[first]?.said}; name one of the two`,
      retry: { kind: "never" },
    });
  }
};

const checkSeeds = (simulations: readonly SimulationV1[], seeds: Readonly<Record<string, unknown>>): void => {
  const names = simulations.map(({ name }) => name);
  const unused = Object.keys(seeds).find((name) => !names.includes(name));
  if (unused === undefined) return;
  throw new CapstanError({
    code: "up.seed_unused",
    reason: "SeedUnused",
    message: `--seed ${unused}: this cloud is not simulated; ${names.length === 0 ? "name one with --simulate" : `there are ${names.join(", ")}`}`,
    retry: { kind: "never" },
  });
};

/** Starts simulations one after another and says where they are. What stops them is added to `cleanups` before they start. */
export const startSimulations = async (
  factories: readonly SimulationFactory[],
  environment: SimulationEnvironment & { readonly view: View },
  cleanups: (() => Promise<void> | void)[],
): Promise<readonly SimulationV1[]> => {
  const simulations: SimulationV1[] = [];
  // Machines of one cloud may be in the cluster of another.
  const network = new GuestNetwork();
  for (const { make } of factories) {
    const guests: GuestHost[] = [];
    cleanups.push(async () => {
      for (const guest of guests) await guest.stop();
    });
    simulations.push(await make(simulationOutside(environment, guests, network)));
  }
  checkNames(factories, simulations);
  checkSeeds(simulations, environment.seeds ?? {});
  for (const simulation of simulations) {
    cleanups.push(() => simulation.stop());
    await startSimulation(simulation, environment);
  }
  rememberSimulators(environment.data, simulations);
  return simulations;
};
