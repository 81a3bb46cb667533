import { readYamlTexts, YamlError } from "@capstan/kube-values/yaml";
import { isJsonObject, type JsonObject } from "@capstan/schema";
import { butaneShape } from "./butane-shape.ts";
import { mountUnit } from "./mount-unit.ts";
import { atRoot, type ConfigProblem, translated } from "./shape.ts";

/** A config for people as one for Ignition, and what is wrong with it. */
export interface Translation {
  /** Without its version. Meant to be used only when there are no problems. */
  readonly config: JsonObject;
  /** The version of Ignition's specification that it is written in. */
  readonly version: string;
  readonly problems: readonly ConfigProblem[];
  /** Likely mistakes. */
  readonly warnings: readonly ConfigProblem[];
}

/** The specification of Ignition that each version of Butane's specifications is translated to. */
const versions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  fcos: {
    "1.0.0": "3.0.0",
    "1.1.0": "3.1.0",
    "1.2.0": "3.2.0",
    "1.3.0": "3.2.0",
    "1.4.0": "3.3.0",
    "1.5.0": "3.4.0",
    "1.6.0": "3.5.0",
  },
  flatcar: { "1.0.0": "3.3.0", "1.1.0": "3.4.0" },
};

/** A text as a map of texts; what cannot be read is a problem. */
export const readConfig = (text: string, problems: ConfigProblem[]): JsonObject => {
  try {
    const value = readYamlTexts(text);
    if (isJsonObject(value)) return value;
    problems.push({ field: "", message: "must be a map of fields" });
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const line = error.line === undefined ? "" : `line ${error.line}: `;
    problems.push({ field: "", message: `is not valid YAML: ${line}${error.message}` });
  }
  return {};
};

const names = (of: Readonly<Record<string, unknown>>): string => Object.keys(of).join(", ");

const headerProblem = (variant: unknown, version: unknown): ConfigProblem | undefined => {
  const known = typeof variant === "string" && Object.hasOwn(versions, variant) ? versions[variant] : undefined;
  if (known === undefined) return { field: "variant", message: `must be one of ${names(versions)}` };
  if (typeof version === "string" && Object.hasOwn(known, version)) return undefined;
  return { field: "version", message: `must be one of ${names(known)}` };
};

/** Units that Butane makes for file systems. */
const withMountUnits = (config: JsonObject, problems: ConfigProblem[]): JsonObject => {
  const { storage, systemd = {} } = config as { storage?: JsonObject; systemd?: JsonObject };
  const filesystems = storage?.["filesystems"];
  if (!Array.isArray(filesystems)) return config;
  const made = filesystems.flatMap((filesystem: JsonObject, index): readonly JsonObject[] => {
    if (filesystem["withMountUnit"] !== true) return [];
    const unit = mountUnit(filesystem);
    if (unit === undefined) {
      problems.push({ field: `storage.filesystems[${index}].path`, message: "must be set for a mount unit" });
    }
    return unit === undefined ? [] : [unit];
  });
  const bare = filesystems.map(({ withMountUnit: _isMounted, ...filesystem }: JsonObject) => filesystem);
  const own = Array.isArray(systemd["units"]) ? (systemd["units"] as readonly JsonObject[]) : [];
  // A unit of the user's own with the name is about the same mount, and wins.
  const generated = made.filter(({ name }) => own.every((unit) => unit["name"] !== name));
  const units = [...own, ...generated];
  return {
    ...config,
    storage: { ...storage, filesystems: bare },
    ...(units.length > 0 && { systemd: { ...systemd, units } }),
  };
};

/** Butane as a config for Ignition 3. What is not known, or not translated here, is a problem that names its field. */
export const translateButane = (text: string): Translation => {
  const problems: ConfigProblem[] = [];
  const warnings: ConfigProblem[] = [];
  const { variant, version, ...rest } = readConfig(text, problems);
  const header = problems.length > 0 ? undefined : headerProblem(variant, version);
  if (header !== undefined) problems.push(header);
  // The fields of something else say nothing more.
  if (problems.length > 0) return { config: {}, version: "3.3.0", problems, warnings };
  const config = translated(rest, butaneShape, atRoot(problems, warnings)) as JsonObject;
  return {
    config: withMountUnits(config, problems),
    version: versions[String(variant)]?.[String(version)] ?? "3.3.0",
    problems,
    warnings,
  };
};
