import { readFileSync } from "node:fs";
import { CapstanError } from "@capstan/contract";
import { isJsonObject } from "@capstan/schema";
import { type Command, Option } from "commander";
import { anyOf, nearWords } from "./near-words.ts";
import { whyUnreadable } from "./file-words.ts";
import { type OptionSettings, setOptionOption } from "./options/set-option-flag.ts";

const invalid = (path: string, message: string, cause?: unknown): CapstanError =>
  new CapstanError({
    code: "manager.config_invalid",
    reason: "ConfigInvalid",
    message: `--config ${path}: ${message}`,
    retry: { kind: "never" },
    cause,
  });

const readDocument = async (path: string): Promise<Readonly<Record<string, unknown>>> => {
  const { parse } = await import("yaml");
  let document: unknown;
  try {
    document = parse(readFileSync(path, "utf8")) ?? {};
  } catch (error) {
    throw invalid(path, whyUnreadable(error), error);
  }
  if (isJsonObject(document)) return document;
  throw invalid(path, "must be a map of flags, for example `providers: [core]`");
};

export const configOption = (): Option =>
  new Option("--config <file>", "YAML file with any of these flags, in camel case; flags win");

/** The entries of a map, those of a map in it under both their keys: `{ core: { poll: 5s } }` is `core.poll=5s`. */
const entryWords = (map: Readonly<Record<string, unknown>>, before = ""): readonly string[] =>
  Object.entries(map).flatMap(([key, entry]) => {
    const name = `${before}${key}`;
    if (isJsonObject(entry)) return entryWords(entry, `${name}.`);
    return (Array.isArray(entry) ? entry : [entry]).map((each) => `${name}=${each}`);
  });

/** A value as it would be written behind the flag: lists and maps are repeated flags. */
const words = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.map(String);
  return isJsonObject(value) ? entryWords(value) : [String(value)];
};

const unknownSetting = (path: string, key: string, names: readonly string[]): CapstanError => {
  const near = nearWords(key, names);
  const hint = near.length > 0 ? `did you mean ${anyOf(near)}?` : `known are ${names.join(", ")}`;
  return invalid(path, `unknown setting "${key}"; ${hint}`);
};

const valueOf = (option: Option, value: unknown, path: string): unknown => {
  if (option.isBoolean() || option.negate) {
    if (typeof value === "boolean") return value;
    throw invalid(path, `${option.attributeName()} must be true or false`);
  }
  try {
    return words(value).reduce<unknown>((before, word) => {
      if (option.argChoices !== undefined && !option.argChoices.includes(word)) {
        throw new Error(`must be one of ${option.argChoices.join(", ")}.`);
      }
      return option.parseArg === undefined ? word : option.parseArg(word, before as string);
    }, undefined);
  } catch (error) {
    throw invalid(path, `${option.attributeName()}: ${(error as Error).message}`, error);
  }
};

const setOptionKey = setOptionOption().attributeName();

/** Options of providers that the command line sets win one by one. */
const withGiven = (settings: OptionSettings, given: OptionSettings): OptionSettings => {
  const nameOf = (setting: string): string => setting.slice(0, setting.indexOf("="));
  const names = given.map(nameOf);
  return [...settings.filter((setting) => !names.includes(nameOf(setting))), ...given];
};

/**
 * Takes the values of a command's flags from a YAML file whose keys are the flags in camel case; what the command line says wins.
 * Rejects with `manager.config_invalid`.
 */
export const applyConfigFile = async (command: Command, path: string): Promise<void> => {
  const known = command.options.filter((option) => !["config", "help"].includes(option.attributeName()));
  for (const [key, value] of Object.entries(await readDocument(path))) {
    const option = known.find((candidate) => candidate.attributeName() === key);
    if (option === undefined) {
      throw unknownSetting(
        path,
        key,
        known.map((candidate) => candidate.attributeName()),
      );
    }
    const isGiven = command.getOptionValueSource(key) === "cli";
    if (isGiven && key !== setOptionKey) continue;
    const read = valueOf(option, value, path);
    const result = isGiven ? withGiven(read as OptionSettings, command.getOptionValue(key) as OptionSettings) : read;
    command.setOptionValueWithSource(key, result, "config");
  }
};
