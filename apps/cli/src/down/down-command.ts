import { Command, Option } from "commander";
import { duration, folder, logLevelOption, outputOption } from "../flag-values.ts";
import type { LogLevel } from "../terminal.ts";
import { defaultDataFolder } from "../up/data-folder.ts";

/** What `capstan down` was asked to do. */
export interface DownOptions {
  readonly dataDir: string;
  readonly timeoutMs: number;
  readonly output: "text" | "json";
  readonly logLevel: LogLevel;
}

/** `capstan down`. */
export const downCommand = (run: (options: DownOptions) => Promise<number>, done: (status: number) => void): Command =>
  new Command("down")
    .description("Delete what capstan up applied, with the servers at the cloud, and wait until it is gone.")
    .option("--data-dir <folder>", "the folder of that capstan up", folder, defaultDataFolder(process.env))
    .addOption(
      new Option("--timeout <duration>", "how long to wait for it").argParser(duration).default(20 * 60_000, "20m"),
    )
    .addOption(outputOption())
    .addOption(logLevelOption("silent"))
    .addHelpText(
      "after",
      `
Works beside a capstan up that runs, or runs the same providers and simulated clouds itself. Objects that others made stay.

Example:
  capstan down --data-dir ./state`,
    )
    .action(async ({ timeout, ...flags }: Omit<DownOptions, "timeoutMs"> & { readonly timeout: number }) =>
      done(await run({ ...flags, timeoutMs: timeout })),
    );
