import { parseDurationMs } from "@capstan/kube-values";
import { type Command, InvalidArgumentError, Option } from "commander";

/** The words of a comma-separated value; repeated flags add up. */
export const list = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...value
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== ""),
];

/** The values of a repeated flag. */
export const append = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

export const port = (value: string): number => {
  const number = Number(value);
  if (/^\d+$/.test(value) && number <= 65_535) return number;
  throw new InvalidArgumentError("must be a port from 0 to 65535.");
};

/** In milliseconds. */
export const duration = (value: string): number => {
  const ms = parseDurationMs(value);
  if (ms !== undefined && ms > 0) return ms;
  throw new InvalidArgumentError("must be a duration such as 90s, 5m or 1h30m.");
};

/** A whole number from 0. */
export const count = (value: string): number => {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new InvalidArgumentError("must be a whole number from 0.");
};

/** A folder: an empty value, as of a variable that is not set, would mean the present one. */
export const folder = (value: string): string => {
  if (value.trim() !== "") return value;
  throw new InvalidArgumentError("must name a folder, and is empty.");
};

export const outputOption = (): Option =>
  new Option("-o, --output <format>", "json prints one event per line").choices(["text", "json"]).default("text");

export const logLevelOption = (level: string): Option =>
  new Option("--log-level <level>", "log of the parts, on standard error")
    .choices(["debug", "info", "warn", "error", "silent"])
    .default(level);

export const bootstrapTimeoutOption = (): Option =>
  new Option(
    "--bootstrap-timeout <duration>",
    "how long the bootstrapping of a machine may take (default: as its provider says, mostly 20m)",
  ).argParser(duration);

/** Without files, everything would be in none of them. */
export const checkPrune = (
  { prune, filename }: { readonly prune?: boolean; readonly filename?: readonly string[] },
  command: Command,
): void => {
  if (prune === true && filename === undefined) {
    command.error("error: --prune needs -f; to delete everything that capstan up applied, run capstan down");
  }
};
