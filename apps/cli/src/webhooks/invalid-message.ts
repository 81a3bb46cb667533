import type { Cause } from "@capstan/schema";

/** What an API server says of an object that is refused. */
export const invalidMessage = (
  { kind, group }: { readonly kind: string; readonly group: string },
  name: string,
  causes: readonly Cause[],
): string => {
  const texts = causes.map(({ field, message }) => `${field}: ${message}`);
  const said = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  return `${kind}.${group} "${name}" is invalid: ${said}`;
};

/** What an API server says of an object that someone may not write as it is. */
export const forbiddenMessage = (
  { plural, group }: { readonly plural: string; readonly group: string },
  name: string,
  why: string,
): string => `${plural}.${group} "${name}" is forbidden: ${why}`;
