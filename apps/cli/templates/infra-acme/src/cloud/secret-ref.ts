import type { SecretRef } from "@capstan/kit/machine";

/** A reference of a spec, if it names a Secret. */
export const namedSecret = (
  reference: { readonly name?: string; readonly namespace?: string } | undefined,
): SecretRef | undefined => (reference?.name === undefined ? undefined : { ...reference, name: reference.name });
