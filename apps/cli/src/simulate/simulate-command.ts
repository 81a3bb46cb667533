import { Command, InvalidArgumentError, Option } from "commander";
import { append, logLevelOption, outputOption, port } from "../flag-values.ts";
import { aloneRole, ownNames } from "../modules/module-role.ts";
import type { LogLevel } from "../terminal.ts";
import { defaultDataFolder } from "../up/data-folder.ts";
import type { Throttle } from "./simulator-control.ts";

/** Options of `capstan simulate`. */
export interface SimulateOptions {
  /** The simulated cloud: a name, package or path. */
  readonly cloud: string;
  /** Port of its API; 0: the one used last, or any free one. */
  readonly port: number;
  readonly inMemory: boolean;
  /** `undefined`: a folder of the cloud in the default data folder. */
  readonly dataDir: string | undefined;
  /** Where the variables of its clients are written. Default: the data folder. */
  readonly writeEnvironment: string | undefined;
  /** File with what an empty account begins with. */
  readonly seed: string | undefined;
  /** The credential that its API takes; default: the cloud's own. */
  readonly token: string | undefined;
  /** Lines of a fault script, each with a service before it where it is not the first. */
  readonly faults: readonly string[];
  readonly speed: number | undefined;
  readonly throttle: Throttle | undefined;
  /** True if the consoles of its machines are shown. */
  readonly console: boolean;
  readonly output: "text" | "json";
  readonly logLevel: LogLevel;
}

type SimulateFlags = Omit<SimulateOptions, "cloud" | "inMemory" | "console" | "faults"> & {
  readonly inMemory?: true;
  readonly console?: true;
  readonly fault?: readonly string[];
};

const factor = (value: string): number => {
  const number = Number(value);
  if (/^\d+(?:\.\d+)?$/.test(value) && number >= 0.001) return number;
  throw new InvalidArgumentError("must be a number such as 10 or 0.5.");
};

const rates = { reads: "readsPerSecond", writes: "writesPerSecond", deletes: "deletesPerSecond" } as const;

/** `reads=10,writes=0.5`, per second. */
const throttle = (value: string): Throttle =>
  Object.fromEntries(
    value.split(",").map((part) => {
      const [, name, number] = /^(reads|writes|deletes)=(\d+(?:\.\d+)?)$/.exec(part.trim()) ?? [];
      if (name === undefined || Number(number) < 0.001) {
        throw new InvalidArgumentError("must be requests per second such as reads=10,writes=2,deletes=0.5.");
      }
      return [rates[name as keyof typeof rates], Number(number)];
    }),
  );

/** `capstan simulate`: a simulated cloud alone, for clients and tests of any kind. */
export const simulateCommand = (
  run: (options: SimulateOptions) => Promise<number>,
  done: (status: number) => void,
): Command =>
  new Command("simulate")
    .description("Run a simulated cloud alone until stopped.")
    .argument("<cloud>", `name, npm package or path, as in up --simulate (ours: ${ownNames(aloneRole).join(",")})`)
    .option("--port <port>", "port of its API; 0: the previous one or a free one", port, 0)
    .option("--data-dir <folder>", `folder of its state (default: ${defaultDataFolder(process.env)}/simulate/<cloud>)`)
    .addOption(new Option("--in-memory", "keep state in memory only").conflicts("dataDir"))
    .option(
      "--write-environment <file>",
      "write the environment of its clients here when ready: JSON, or shell syntax for .env and .sh",
    )
    .option("--seed <file>", "YAML file with the initial state of an empty account")
    .option("--token <token>", "API token, for clouds that have tokens")
    .option("--fault <fault>", "inject a fault, such as 'POST /linode/instances 503 x3'; may be repeated", append)
    .option("--speed <factor>", "speed factor for creating machines and other resources", factor)
    .option("--throttle <rates>", "rate limits in requests per second, such as reads=10,writes=2,deletes=0.5", throttle)
    .option("--console", "print the consoles of its machines")
    .addOption(outputOption())
    .addOption(logLevelOption("silent"))
    .addHelpText(
      "after",
      `
A fault is: [SERVICE] METHOD PATH ACTION [@NTH] [xTIMES]; actions are 503 [Code], html, reset, lost-answer, truncated,
delay 5s, operation-failed, operation-vanishes. Its control interface injects more while it runs.

Examples:
  capstan simulate linode --write-environment linode.env
  capstan simulate linode --port 8080 --token my-token
  capstan simulate linode --in-memory --fault 'POST /linode/instances 503 x3' --fault 'object-storage PUT /** reset'
  capstan simulate ./my-cloud.ts --speed 10 --console`,
    )
    .action(async (cloud: string, { inMemory, console, fault, ...flags }: SimulateFlags) =>
      done(await run({ ...flags, cloud, inMemory: inMemory === true, console: console === true, faults: fault ?? [] })),
    );
