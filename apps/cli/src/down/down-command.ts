import { Command, Option } from "commander";
import { duration, folder, logLevelOption, outputOption } from "../flag-values.ts";
import type { LogLevel } from "../terminal.ts";
import { defaultDataFolder } from "../up/data-folder.ts";

/** Options of `capstan down`. */
export interface DownOptions {
  readonly dataDir: string;
  readonly timeoutMs: number;
  readonly output: "text" | "json";
  readonly logLevel: LogLevel;
}

/** `capstan down`. */
export const downCommand = (run: (options: DownOptions) => Promise<number>, done: (status: number) => void): Command =>
  new Command("down")
    .description("Delete everything that capstan up applied, including servers at the cloud, and wait.")
    .option("--data-dir <folder>", "data folder of that capstan up", folder, defaultDataFolder(process.env))
    .addOption(new Option("--timeout <duration>", "how long to wait").argParser(duration).default(20 * 60_000, "20m"))
    .addOption(outputOption())
    .addOption(logLevelOption("silent"))
    .addHelpText(
      "after",
      `
Uses the running capstan up, if there is one; else starts the same providers and simulated clouds. Objects that capstan up\ndid not apply stay.

Example:
  capstan down --data-dir ./state`,
    )
    .action(async ({ timeout, ...flags }: Omit<DownOptions, "timeoutMs"> & { readonly timeout: number }) =>
      done(await run({ ...flags, timeoutMs: timeout })),
    );
