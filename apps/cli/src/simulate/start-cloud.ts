import { rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { CapstanError, isCapstanError, type Clock, type Logger, type Random } from "@capstan/contract";
import type { SimulationV1 } from "@capstan/contract/v1";
import { aloneRole } from "../modules/module-role.ts";
import type { DataFolder } from "../up/data-folder.ts";
import { readSeed } from "../up/read-seeds.ts";
import { loadSimulations, startSimulations } from "../up/simulations.ts";
import type { View } from "../view/view.ts";
import type { SimulateOptions } from "./simulate-command.ts";
import { simulatorControl, type SimulatorControl } from "./simulator-control.ts";

/** Environment of a cloud while it runs. */
interface CloudEnvironment {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly view: View;
  readonly data: DataFolder;
  /** Aborted when it is to end. */
  readonly signal: AbortSignal;
}

/** Where the state of a cloud is kept that was named so: `linode`, `@acme/capstan-acme` or `./my-cloud.ts`. */
export const cloudFolder = (dataFolder: string, cloud: string): string =>
  join(dataFolder, "simulate", basename(resolve(cloud)).replace(/\.[cm]?[jt]s$/, ""));

/** Between two looks at the consoles. */
const consoleMs = 300;

const refused = (code: string, reason: string, message: string, cause?: unknown): CapstanError =>
  new CapstanError({ code, reason, message, retry: { kind: "never" }, cause });

/** The flags that are orders to the control interface. */
const orders = ({ faults, speed, throttle }: SimulateOptions) => [
  ...faults.map((fault) => ({
    flag: `--fault ${JSON.stringify(fault)}`,
    give: (control: SimulatorControl, signal: AbortSignal) => control.addFaults(fault, { signal }),
  })),
  ...(speed === undefined
    ? []
    : [
        {
          flag: `--speed ${speed}`,
          give: (control: SimulatorControl, signal: AbortSignal) => control.setSpeed(speed, { signal }),
        },
      ]),
  ...(throttle === undefined
    ? []
    : [
        {
          flag: "--throttle",
          give: (control: SimulatorControl, signal: AbortSignal) => control.setThrottle(throttle, { signal }),
        },
      ]),
];

const controlOf = (
  { name, control, cloud }: SimulationV1,
  flag: string,
  environment: CloudEnvironment,
): SimulatorControl => {
  if (control !== undefined) return simulatorControl({ url: control, ca: cloud.ca }, environment);
  const message = `${flag}: the simulated cloud ${name} has no control interface; omit the flag, or return "control" from its simulation`;
  throw refused("simulate.no_control", "NoControl", message);
};

const prepare = async (
  simulation: SimulationV1,
  options: SimulateOptions,
  environment: CloudEnvironment,
): Promise<void> => {
  const { signal } = environment;
  for (const { flag, give } of orders(options)) {
    const control = controlOf(simulation, flag, environment);
    try {
      await give(control, signal);
    } catch (error) {
      if (!isCapstanError(error) || signal.aborted) throw error;
      const why = error.message.replace(/^.*? answered \d+: /, "");
      throw refused("simulate.flag_refused", "FlagRefused", `${flag}: ${why}`, error);
    }
  }
};

const showConsoles = async (control: SimulatorControl, { clock, view, signal }: CloudEnvironment): Promise<void> => {
  for (let since = 0; !signal.aborted;) {
    const { next, items } = await control.console({ since }, { signal });
    for (const { name, text, ...fields } of items) {
      view.say({ type: "console", text: `${name}: ${text}`, fields: { ...fields, name, line: text } });
    }
    since = next;
    await clock.sleep(consoleMs, { signal }).catch(() => undefined);
  }
};

/** Returns the initial state of the account: from the file, with the token if one is given. */
const seedOf = ({ seed: file, token }: Pick<SimulateOptions, "seed" | "token">): unknown => {
  const seed = file === undefined ? undefined : readSeed(file, file);
  return token === undefined ? seed : { ...(seed as object | undefined), token };
};

/** Starts a simulated cloud as the flags want it and says where it is; what stops it is added to `cleanups` before. */
export const startCloud = async (
  options: SimulateOptions,
  environment: CloudEnvironment,
  cleanups: (() => Promise<void> | void)[],
): Promise<void> => {
  // Whoever waits for the file does not find that of an earlier run.
  if (options.writeEnvironment !== undefined) rmSync(options.writeEnvironment, { force: true });
  const factories = await loadSimulations([options.cloud], {}, { role: aloneRole });
  const seed = seedOf(options);
  const settings = {
    seed: () => seed,
    port: options.port,
    environmentFile: options.writeEnvironment,
    prepare: (simulation: SimulationV1) => prepare(simulation, options, environment),
  };
  const [simulation] = await startSimulations(factories, { ...environment, ...settings }, cleanups);
  if (!options.console || simulation === undefined) return;
  const following = showConsoles(controlOf(simulation, "--console", environment), environment);
  following.catch((error: unknown) => {
    if (!environment.signal.aborted) environment.log.error("cannot show consoles", { error: String(error) });
  });
  cleanups.push(() => following.catch(() => undefined));
};
