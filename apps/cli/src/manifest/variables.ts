import { CapstanError } from "@capstan/contract";
import { byText } from "@capstan/kube-values";
import { NotDoable, substituted } from "./variable-functions.ts";
import { NotAVariable, type Part, partsOf, type Substitution, withoutBlanks } from "./variable-syntax.ts";

/** Values by name; `undefined` when not set. */
export type Variables = (name: string) => string | undefined;

const isSubstitution = (part: Part): part is Substitution => typeof part !== "string";

/** The substitutions of a text by name, each with the first one: what has a default there needs no value anywhere, as with clusterctl. */
const firstOf = (parts: readonly Part[]): ReadonlyMap<string, Substitution> => {
  const first = new Map<string, Substitution>();
  for (const part of parts.filter(isSubstitution)) {
    if (!first.has(part.name)) first.set(part.name, part);
  }
  return first;
};

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split("\n").length;

/** The beginning of what is meant, on one line. */
const excerptOf = (text: string, offset: number): string => {
  const [line = ""] = text.slice(offset, offset + 60).split("\n");
  const end = line.indexOf("}");
  return end === -1 ? line : line.slice(0, end + 1);
};

const notUnderstood = (text: string, source: string, offset: number, why: string, cause: unknown): CapstanError =>
  new CapstanError({
    code: "manifest.variable_invalid",
    reason: "VariableInvalid",
    message: `${source}:${lineOf(text, offset)}: ${excerptOf(text, offset)} is not a valid clusterctl variable: ${why}; fix it, or write $$ for a literal dollar sign`,
    retry: { kind: "never" },
    cause,
  });

const readParts = (text: string, source: string): readonly Part[] => {
  try {
    return partsOf(text);
  } catch (error) {
    if (!(error instanceof NotAVariable)) throw error;
    throw notUnderstood(text, source, error.offset, error.message, error);
  }
};

/** Throws `manifest.variable_missing`. */
const checkValues = (
  { parts, source, text }: { readonly parts: readonly Part[]; readonly source: string; readonly text: string },
  variables: Variables,
  fix: string,
): void => {
  const missing = [...firstOf(parts).values()].filter(
    ({ args, name }) => args.length === 0 && variables(name) === undefined,
  );
  if (missing.length === 0) return;
  const names = missing.map(({ name, offset }) => `${name} (line ${lineOf(text, offset)})`).join(", ");
  throw new CapstanError({
    code: "manifest.variable_missing",
    reason: "VariableMissing",
    message: `${source}: no value for ${names}; ${fix}`,
    retry: { kind: "never" },
  });
};

/**
 * Replaces variables as clusterctl does in the templates of Cluster API providers, in each of its forms: defaults, parts of a value,
 * replacements, upper and lower case; `$$` stands for `$`. Quotes of a default stay: they make a number a text. Throws
 * `manifest.variable_missing` naming every variable without a value and its line, where `fix` is what to do about it, and
 * `manifest.variable_invalid` for what begins like a variable and is none.
 */
export const substituteVariables = (
  given: string,
  variables: Variables,
  source: string,
  fix = "set it in the environment; --simulate sets the credentials of its cloud alone",
): string => {
  if (!given.includes("$")) return given;
  const text = withoutBlanks(given);
  const parts = readParts(text, source);
  checkValues({ parts, source, text }, variables, fix);
  const value = (name: string): string => variables(name) ?? "";
  const written = parts.map((part) => {
    if (!isSubstitution(part)) return part;
    try {
      return substituted(part, value);
    } catch (error) {
      if (!(error instanceof NotDoable)) throw error;
      throw notUnderstood(text, source, part.offset, error.message, error);
    }
  });
  return written.join("");
};

/** A variable of a text. */
export interface VariableUse {
  readonly name: string;
  /** `undefined`: it has to have a value. */
  readonly fallback: string | undefined;
}

/** An argument as people read it. */
const argumentText = (part: Part): string => (isSubstitution(part) ? `\${${part.name}}` : part);

/** A default without the quotes around it. */
const unquote = (text: string): string => /^"(.*)"$/s.exec(text)?.[1] ?? text;

const fallbackOf = ({ args }: Substitution): string | undefined =>
  args.length === 0 ? undefined : unquote(args.map(argumentText).join(""));

const usesOf = (parts: readonly Part[]): readonly VariableUse[] => {
  const found = new Map([...firstOf(parts)].map(([name, part]) => [name, fallbackOf(part)] as const));
  const lookInto = (inner: readonly Part[]): void => {
    for (const part of inner.filter(isSubstitution)) {
      // What stands in a default alone may be missing.
      if (!found.has(part.name)) found.set(part.name, fallbackOf(part) ?? "");
      lookInto(part.args);
    }
  };
  lookInto(parts.filter(isSubstitution).flatMap(({ args }) => args));
  return [...found].map(([name, fallback]) => ({ name, fallback })).toSorted((a, b) => byText(a.name, b.name));
};

/** The variables of a text, by name; also those in defaults. Throws `manifest.variable_invalid`. */
export const variablesOf = (text: string, source: string): readonly VariableUse[] =>
  usesOf(readParts(withoutBlanks(text), source));

/** Those that a text leaves to whoever reads it next: `$${NAME}`. */
export const deferredVariablesOf = (text: string, source: string): readonly VariableUse[] => {
  const rest = readParts(withoutBlanks(text), source).filter((part) => !isSubstitution(part));
  try {
    return usesOf(partsOf(rest.join("")));
  } catch (error) {
    // The next reader says what is wrong.
    if (error instanceof NotAVariable) return [];
    throw error;
  }
};
