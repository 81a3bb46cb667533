import { CapstanError } from "@capstan/contract";

/** Values by name; `undefined` when not set. */
export type Variables = (name: string) => string | undefined;

/** `${NAME}`, `${NAME:=default}`, `${NAME=default}`, `${NAME:-default}`, with blanks around the name; `$${` stands for `${`. */
const pattern = /\$\$\{|\$\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*(?:(:=|=|:-)((?:[^{}]|\$\{[^{}]*\})*))?\}/g;

/**
 * Replaces variables as the template files of Cluster API providers use them. A default may hold a variable itself and may be
 * quoted. Throws `manifest.variable_missing` naming every variable without a value and its line.
 */
export const substituteVariables = (text: string, variables: Variables, source: string): string => {
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
        if (operator !== undefined) return unquote(replace(fallback ?? "", offset + at));
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
    message: `${source}: no value for ${names}; set it in the environment, or run with --simulate`,
    retry: { kind: "never" },
  });
};

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split("\n").length;

const unquote = (text: string): string => /^"(.*)"$/s.exec(text)?.[1] ?? text;
