import { CapstanError, type Clock } from "@capstan/contract";
import type { ServiceKey } from "@capstan/contract/v1";
import { describeObject } from "@capstan/contract/wire";
import type { Environment } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import { askForReferences } from "./admit.ts";
import { crossingReferences, deedOf } from "./crossing.ts";
import { hasReferenceMark } from "./mark.ts";

/** Decides which references into other namespaces controllers follow. */
export interface ReferencePolicy {
  /** Asked only about objects that have such references. */
  readonly follows: (kind: Resource, object: KubeObject) => Promise<boolean>;
}

/** The policy of a manager. Without one, controllers follow no reference into another namespace. */
export const referencePolicy: ServiceKey<ReferencePolicy> = { name: "reference-policy" };

/** Follows every reference: for managers whose API server only administrators write to. */
export const anyReference: ReferencePolicy = { follows: async () => true };

/** A key that does not fit is read again, but not more often than this. */
const againMs = 10_000;

/** Follows references that admission has marked. `readKey` answers `undefined` while there is no key. */
export const markedReferences = (readKey: () => Promise<Uint8Array | undefined>, clock: Clock): ReferencePolicy => {
  let known: { readonly key: Uint8Array | undefined; readonly at: number } | undefined;
  const keyNow = async (): Promise<Uint8Array | undefined> => {
    known = { key: await readKey(), at: clock.now() };
    return known.key;
  };
  const fits = (key: Uint8Array | undefined, kind: Resource, object: KubeObject): boolean =>
    key !== undefined && hasReferenceMark(key, kind, object);
  return {
    follows: async (kind, object) => {
      if (fits(known?.key, kind, object)) return true;
      if (known?.key !== undefined && clock.now() - known.at < againMs) return false;
      return fits(await keyNow(), kind, object);
    },
  };
};

/** Looked at again this often, where nothing shows that the mark has been set. */
const retryMs = 60_000;

/** Returns whether the references of an object into other namespaces may be followed. Sends no request for an object without any. */
export const isAdmitted = async (
  { findService }: Pick<Environment, "findService">,
  kind: Resource,
  object: KubeObject,
): Promise<boolean> => {
  if (crossingReferences(kind, object).length === 0) return true;
  return (await findService(referencePolicy)?.follows(kind, object)) ?? false;
};

/**
 * Called before a controller follows the references of an object. Throws `references.not_admitted` if one leads into
 * another namespace and its writer has not proven permission; sends no request if none does.
 */
export const requireAdmitted = async (
  environment: Pick<Environment, "findService">,
  kind: Resource,
  object: KubeObject,
): Promise<void> => {
  const [first] = crossingReferences(kind, object);
  if (first === undefined || (await isAdmitted(environment, kind, object))) return;
  throw new CapstanError({
    code: "references.not_admitted",
    reason: "ReferenceNotAdmitted",
    message: `${describeObject(object)}: ${first.field} references namespace ${first.namespace}, but no user has proven permission to ${deedOf(first)} there; ${askForReferences(kind, object)}`,
    retry: { kind: "after", ms: retryMs, unlessChanged: true },
  });
};
