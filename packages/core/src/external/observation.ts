import { isCapstanError } from "@capstan/contract";
import type { ContractReference } from "@capstan/contract/wire";
import type { ExternalObject, ExternalObjects } from "@capstan/kit/machines";
import { ExternalErrorCode } from "@capstan/kit/machines";
import type { ReconcileContext } from "@capstan/runtime";

/** Result of looking up a referenced object. */
export type ExternalObservation =
  /** Nothing is referred to. */
  | { readonly state: "unreferenced" }
  | { readonly state: "found"; readonly external: ExternalObject }
  | {
      readonly state: "missing";
      readonly reference: ContractReference;
      /** Why whoever is to make it cannot, as far as that is known. */
      readonly why?: string;
    }
  /** It serves another owner; the error that says so is thrown on to the caller. */
  | { readonly state: "taken"; readonly reference: ContractReference; readonly error: unknown }
  /** It could not be read; the error is thrown on to the caller. */
  | { readonly state: "unreadable"; readonly reference: ContractReference; readonly error?: unknown };

export const unreferenced: ExternalObservation = Object.freeze({ state: "unreferenced" });

/** Why an object could not be read or used, if that is what happened. */
export const errorOf = (observation: ExternalObservation): unknown =>
  observation.state === "unreadable" || observation.state === "taken" ? observation.error : undefined;

/** Returns whether there is, or may be, an object of the owner's behind a reference. Without the definition of its kind there is none. */
export const mayExist = (
  observation: ExternalObservation,
): observation is Extract<ExternalObservation, { readonly state: "found" | "unreadable" }> =>
  observation.state === "found" ||
  (observation.state === "unreadable" && !isCapstanError(observation.error, ExternalErrorCode.kindMissing));

/**
 * Returns the condition's message for a reference to an object that does not exist. `field` is the path of the
 * reference.
 */
export const missingText = (
  { reference: { kind, name }, why }: Extract<ExternalObservation, { readonly state: "missing" }>,
  field: string,
): string => `${kind} ${name} does not exist${why === undefined ? `; create it or correct ${field}` : `: ${why}`}`;

/** Reads the object a reference names. A failure is reported through `observed` before it is thrown. */
export const observeExternal = async (
  context: ReconcileContext,
  objects: ExternalObjects,
  reference: ContractReference,
  namespace: string | undefined,
  observed: (observation: ExternalObservation) => void,
): Promise<ExternalObject | undefined> => {
  try {
    const external = await objects.find(context, reference, namespace);
    observed(external === undefined ? { state: "missing", reference } : { state: "found", external });
    return external;
  } catch (error) {
    observed({ state: "unreadable", reference, error });
    throw error;
  }
};
