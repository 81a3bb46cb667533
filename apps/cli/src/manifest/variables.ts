import { CapstanError } from "@capstan/contract";
import { byText } from "@capstan/kube-values";

/** Values by name; `undefined` when not set. */
export type Variables = (name: string) => string | undefined;

/** `${NAME}`, `${NAME:=default}`, `${NAME=default}`, `${NAME:-default}`, with blanks around the name; `$${` stands for `${`. */
const pattern = /\$\$\{|\$\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*(?:(:=|=|:-)((?:[^{}]|\$\{[^{}]*\})*))?\}/g;

/**
 * Replaces variables as the template files of Cluster API providers use them. A default may hold a variable itself; its
 * quotes stay, as clusterctl leaves them: they make a number a text. Throws `manifest.variable_missing` naming every variable without a value and its line; `mend` is what to do about it.
 */
export const substituteVariables = (
  text: string,
  variables: Variables,
  source: string,
  mend = "set it in the environment; --simulate gives credentials of its cloud",
): string => {
  const missing = new Map<string, number>();
  const replace = (part: string, offset: number): string =>
    part.replaceAll(
      pattern,
      (
        match: string,
        name: string | undefined,
        operator: string | undefined,
        fallback: string | undefined,
        at: number,
      ) => {
        if (name === undefined) return "${";
        const value = variables(name);
        if (value !== undefined && (value !== "" || operator === "=" || operator === undefined)) return value;
        if (operator !== undefined) return replace(fallback ?? "", offset + at);
        if (!missing.has(name)) missing.set(name, lineOf(text, offset + at));
        return match;
      },
    );
  const result = replace(text, 0);
  if (missing.size === 0) return result;
  const names = [...missing].map(([name, line]) => `${name} (line ${line})`).join(", ");
  throw new CapstanError({
    code: "manifest.variable_missing",
    reason: "VariableMissing",
    message: `${source}: no value for ${names}; ${mend}`,
    retry: { kind: "never" },
  });
};

/** A variable of a text. */
export interface VariableUse {
  readonly name: string;
  /** `undefined`: it has to have a value. */
  readonly fallback: string | undefined;
}

/** The variables of a text, by name; also those in defaults. One that has a default anywhere has it everywhere, as with clusterctl. */
export const variablesOf = (text: string): readonly VariableUse[] => {
  const found = new Map<string, string | undefined>();
  const look = (part: string): void => {
    for (const [, name, operator, fallback = ""] of part.matchAll(pattern)) {
      if (name === undefined) continue;
      found.set(name, found.get(name) ?? (operator === undefined ? undefined : unquote(fallback)));
      look(fallback);
    }
  };
  look(text);
  return [...found].map(([name, fallback]) => ({ name, fallback })).toSorted((a, b) => byText(a.name, b.name));
};

/** Those that a text leaves to whoever reads it next: `$${NAME}`. */
export const deferredVariablesOf = (text: string): readonly VariableUse[] =>
  variablesOf(text.replaceAll(pattern, (_match: string, name: string | undefined) => (name === undefined ? "${" : "")));

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split("\n").length;

/** A default as people read it. */
const unquote = (text: string): string => /^"(.*)"$/s.exec(text)?.[1] ?? text;
