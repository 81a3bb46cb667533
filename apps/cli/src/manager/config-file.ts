import { readFileSync } from "node:fs";
import { CapstanError } from "@capstan/contract";
import { isJsonObject } from "@capstan/schema";
import type { Command, Option } from "commander";
import { whyUnreadable } from "../file-words.ts";

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
  throw invalid(path, "it must be a map of flags, for example `providers: [core]`");
};

/** A value as it would be written behind the flag: lists and maps are repeated flags. */
const words = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).map(([key, entry]) => `${key}=${entry}`);
  }
  return [String(value)];
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

/**
 * Takes the values of a command's flags from a YAML file whose keys are the flags in camel case; what the command line says wins.
 * Rejects with `manager.config_invalid`.
 */
export const applyConfigFile = async (command: Command, path: string): Promise<void> => {
  const known = command.options.filter((option) => !["config", "help"].includes(option.attributeName()));
  for (const [key, value] of Object.entries(await readDocument(path))) {
    const option = known.find((candidate) => candidate.attributeName() === key);
    if (option === undefined) {
      throw invalid(
        path,
        `there is no setting "${key}"; known are ${known.map((candidate) => candidate.attributeName()).join(", ")}`,
      );
    }
    if (command.getOptionValueSource(key) === "cli") continue;
    command.setOptionValueWithSource(key, valueOf(option, value, path), "config");
  }
};
