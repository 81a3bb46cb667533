import { isJsonObject, type JsonObject, own } from "@capstan/schema";

/** Type of a value in a config for people, and how it is written for Ignition. Scalars are texts, as in the YAML. */
export type Shape =
  | "text"
  | "integer"
  /** Permissions; octal with a zero in front, as in YAML 1.1. */
  | "mode"
  | "flag"
  | { readonly list: Shape }
  | ObjectShape
  /** Known, and not taken: why. */
  | { readonly refused: string };

export interface ObjectShape {
  readonly fields: Readonly<Record<string, Field>>;
  readonly required?: readonly string[];
  /** Builds the final value from the translated members. */
  readonly finish?: (members: JsonObject, at: At) => JsonObject;
}

/** A field: its shape, or with it the name that Ignition has for it where the spelling alone does not tell. */
export type Field = Shape | { readonly shape: Shape; readonly name: string };

/** Something in a config that is wrong, or that is likely not meant. */
export interface ConfigProblem {
  /** Path of the field, such as `storage.files[0].mode`; empty for the text as a whole. */
  readonly field: string;
  readonly message: string;
}

/** Where a value stands, and where problems go. */
export interface At {
  readonly field: string;
  readonly problem: (message: string, name?: string) => void;
  readonly warning: (message: string, name?: string) => void;
}

/** `size_mib` as `sizeMiB`. */
const ignitionName = (name: string): string =>
  name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()).replace(/Mib$/, "MiB");

const below = (at: At, name: string): At => {
  const field = name.startsWith("[") || at.field === "" ? `${at.field}${name}` : `${at.field}.${name}`;
  const inner = (more = ""): string => `${name}${more === "" || more.startsWith("[") ? more : `.${more}`}`;
  return {
    field,
    problem: (message, more) => at.problem(message, inner(more)),
    warning: (message, more) => at.warning(message, inner(more)),
  };
};

/** The place of the whole text; problems and warnings are added to the lists. */
export const atRoot = (problems: ConfigProblem[], warnings: ConfigProblem[]): At => ({
  field: "",
  problem: (message, field = "") => void problems.push({ field, message }),
  warning: (message, field = "") => void warnings.push({ field, message }),
});

const flags: Readonly<Record<string, boolean>> = {
  true: true,
  false: false,
  yes: true,
  no: false,
  on: true,
  off: false,
};

const modeOf = (text: string, at: At): number | undefined => {
  const octal = /^0o?([0-7]+)$/.exec(text)?.[1];
  if (octal !== undefined) return Number.parseInt(octal, 8);
  if (!/^\d+$/.test(text)) return undefined;
  if (/^[0-7]{3,4}$/.test(text)) at.warning(`${text} is decimal; write the octal mode 0${text}`);
  return Number(text);
};

const nouns = { flag: "true or false", integer: "an integer", mode: "a mode", text: "a text" } as const;

const scalar = (value: unknown, shape: "flag" | "integer" | "mode" | "text", at: At): unknown => {
  if (typeof value !== "string") return at.problem(`must be ${nouns[shape]}`);
  if (shape === "text") return value;
  const read =
    shape === "flag" ? own(flags, value.toLowerCase()) : shape === "mode" ? modeOf(value, at) : integerOf(value);
  return read ?? at.problem(`${JSON.stringify(value)} is not ${nouns[shape]}`);
};

const integerOf = (text: string): number | undefined => (/^[-+]?\d{1,15}$/.test(text) ? Number(text) : undefined);

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

const object = (value: unknown, shape: ObjectShape, at: At): JsonObject | undefined => {
  // A key with nothing behind it.
  if (value === "") return undefined;
  if (!isJsonObject(value)) {
    at.problem("must be a map of fields");
    return undefined;
  }
  const members: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const field = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
    if (field === undefined) {
      below(at, name).problem("unknown field");
      continue;
    }
    const named = typeof field === "object" && "shape" in field ? field : { shape: field, name: ignitionName(name) };
    const written = translated(member, named.shape, below(at, name));
    if (!isAbsent(written)) members[named.name] = written;
  }
  for (const name of shape.required ?? []) {
    if (isAbsent(value[name]) || value[name] === "") below(at, name).problem("must be set");
  }
  return shape.finish === undefined ? members : shape.finish(members, at);
};

/** Translates a value to Ignition; invalid values are reported and left out. */
export const translated = (value: unknown, shape: Shape, at: At): unknown => {
  if (isAbsent(value)) return undefined;
  if (typeof shape === "string") return scalar(value, shape, at);
  if ("refused" in shape) return at.problem(shape.refused);
  if ("fields" in shape) return object(value, shape, at);
  if (value === "") return undefined;
  if (!Array.isArray(value)) return at.problem("must be a list");
  return value.map((item, index) => translated(item, shape.list, below(at, `[${index}]`)));
};
