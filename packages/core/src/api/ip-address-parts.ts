import { contractReference, dnsName } from "@capstan/kit/machines";
import { defaulted, object, optional, string, text } from "@capstan/schema";

export const poolColumns = [
  { name: "Pool Name", path: ".spec.poolRef.name" },
  { name: "Pool Kind", path: ".spec.poolRef.kind" },
  { name: "Age", path: ".metadata.creationTimestamp", type: "date" },
] as const;

export const addressColumns = [{ name: "Address", path: ".spec.address" }, ...poolColumns] as const;

/** An address of either family, as text. */
export const addressText = (description: string) => text(39, description);

const pool = { description: "The pool, of whatever kind its provider has." };

/** The pool in v1alpha1 and v1beta1, where core objects had no group (core/v1 TypedLocalObjectReference). */
export const loosePoolReference = () =>
  object(
    {
      apiGroup: optional(string({ description: "API group of the pool." })),
      kind: string({ description: "Kind of the pool." }),
      name: string({ description: "Name of the pool." }),
    },
    { ...pool, atomic: true },
  );

export const poolReference = () => contractReference(pool);

/** A name alone in v1alpha1 and v1beta1 (core/v1 LocalObjectReference). */
export const looseName = (what: string) =>
  object(
    { name: defaulted(string({ description: `Name of the ${what}.` }), "") },
    { description: `The ${what}.`, atomic: true },
  );

export const namedObject = (what: string) =>
  object({ name: dnsName(`Name of the ${what}.`) }, { description: `The ${what}.` });
