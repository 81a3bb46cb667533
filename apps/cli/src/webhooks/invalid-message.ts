import type { Cause } from "@capstan/schema";

/** Returns an API server's message about an invalid object. */
export const invalidMessage = (
  { kind, group }: { readonly kind: string; readonly group: string },
  name: string,
  causes: readonly Cause[],
): string => {
  const texts = causes.map(({ field, message }) => `${field}: ${message}`);
  const said = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  return `${kind}.${group} "${name}" is invalid: ${said}`;
};

/** Returns an API server's message about an object that a user may not write in this form. */
export const forbiddenMessage = (
  { plural, group }: { readonly plural: string; readonly group: string },
  name: string,
  why: string,
): string => `${plural}.${group} "${name}" is forbidden: ${why}`;
