import type { SecretRef } from "@capstan/kit/machine";
import type { SecretReference } from "@capstan/schema";

/** A reference with a name; one without refers to nothing. */
export const namedSecret = (ref: SecretReference | undefined): SecretRef | undefined =>
  ref?.name === undefined || ref.name === "" ? undefined : { ...ref, name: ref.name };
