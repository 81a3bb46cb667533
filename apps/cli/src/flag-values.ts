import { parseDurationMs } from "@capstan/kube-values";
import { kustomization } from "./manifest/kustomize.ts";
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
  throw new InvalidArgumentError("must name a folder.");
};

export const outputOption = (): Option =>
  new Option("-o, --output <format>", "json prints one event per line").choices(["text", "json"]).default("text");

export const logLevelOption = (level: string): Option =>
  new Option("--log-level <level>", "level of the log on standard error")
    .choices(["debug", "info", "warn", "error", "silent"])
    .default(level);

export const bootstrapTimeoutOption = (): Option =>
  new Option(
    "--bootstrap-timeout <duration>",
    "time limit for bootstrapping a machine (default: that of its provider, usually 20m)",
  ).argParser(duration);

/** The flags that say which manifests are meant. */
export interface FileFlags {
  readonly filename?: readonly string[] | undefined;
  readonly kustomize?: readonly string[] | undefined;
  readonly recursive?: boolean | undefined;
}

export const filenameOption = (): Option =>
  new Option("-f, --filename <file>", "manifest file, folder, URL, or - for standard input; may be repeated").argParser(
    append,
  );

export const kustomizeOption = (): Option =>
  new Option(
    "-k, --kustomize <folder>",
    "folder with a kustomization.yaml, built by kubectl or kustomize; may be repeated",
  ).argParser(append);

export const recursiveOption = (): Option => new Option("-R, --recursive", "read folders of --filename recursively");

/** The manifests that flags name, kustomizations last. */
export const filesOf = ({ filename = [], kustomize = [] }: FileFlags): readonly string[] => [
  ...filename,
  ...kustomize.map(kustomization),
];

/** Without files, everything would be in none of them. */
export const checkPrune = (
  { filename, kustomize, prune }: FileFlags & { readonly prune?: boolean },
  command: Command,
): void => {
  if (prune === true && filename === undefined && kustomize === undefined) {
    command.error("error: --prune requires -f or -k; to delete everything that capstan up applied, run capstan down");
  }
};
