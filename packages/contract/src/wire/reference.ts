import { groupOf } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { CapstanError } from "../error.ts";
import { describeObject } from "./describe.ts";
import { patchAt, record, valueAt } from "./field.ts";
import type { MergePatch } from "../patch/merge-patch.ts";

/** A reference to a provider's object: its namespace is the referrer's, its version follows from the CRD. */
export interface ContractReference {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

/**
 * Reads a reference in either shape: `{apiGroup, kind, name}` or the older `{apiVersion, kind, name, …}`. `undefined` when
 * absent or empty; an incomplete one throws `wire.field_invalid`.
 */
export const readReference = (object: KubeObject, path: string): ContractReference | undefined => {
  const raw = record(valueAt(object, path));
  if (raw === undefined || Object.keys(raw).length === 0) return undefined;
  const { apiGroup, apiVersion, kind, name } = raw;
  const group = typeof apiVersion === "string" && apiVersion !== "" ? groupOf(apiVersion) : apiGroup;
  if (
    typeof group === "string" &&
    group !== "" &&
    typeof kind === "string" &&
    kind !== "" &&
    typeof name === "string" &&
    name !== ""
  ) {
    return { apiGroup: group, kind, name };
  }
  throw new CapstanError({
    code: "wire.field_invalid",
    reason: "InvalidReference",
    message: `${describeObject(object)}: ${path} needs apiGroup (or apiVersion), kind and name`,
    details: { path },
  });
};

/** The merge patch that writes a reference in today's shape. */
export const referencePatch = (path: string, reference: ContractReference): MergePatch =>
  patchAt(path, { ...reference });

/** The merge patch that writes a reference in the older shape, which carries the version and the namespace. */
export const objectReferencePatch = (
  path: string,
  reference: ContractReference,
  place: { readonly version: string; readonly namespace: string },
): MergePatch =>
  patchAt(path, {
    apiVersion: `${reference.apiGroup}/${place.version}`,
    kind: reference.kind,
    name: reference.name,
    namespace: place.namespace,
  });
