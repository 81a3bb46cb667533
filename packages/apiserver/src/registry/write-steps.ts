import { apiVersionOf, type KubeObject } from "@capstan/schema";
import type { Write } from "../apply/apply-update.ts";
import { applyUpdate } from "../apply/apply-update.ts";
import { serverSideApply } from "../apply/server-side-apply.ts";
import { typedSchema } from "../apply/typed-schema.ts";
import { type BodyKind, type DecodeOptions, decodeObject, normalised } from "../decode/decode-object.ts";
import { checkValues, type DecodedBody, maximumPatched } from "../decode/json-text.ts";
import { StatusError } from "../model/status-error.ts";
import type { PatchBody, ResourceDefinition } from "../model/types.ts";
import { jsonPatch, mergePatch, PatchError } from "@capstan/contract/patch";
import { strategicPatch } from "../patch/strategic-patch.ts";
import { checkObjectSize } from "./object-size.ts";
import { hasSubresource } from "./prepare.ts";

/** The steps of a write that look at every field of an object, and at nothing else. */

const refused = (error: unknown): unknown => {
  if (!(error instanceof PatchError)) {
    return error;
  }
  const reason = { 400: "BadRequest", 413: "RequestEntityTooLarge", 422: "Invalid", 500: "" }[error.status];
  return new StatusError(error.status, reason, error.message, { cause: error });
};

/** A patch that is not applied by the server. */
export type PlainPatch = Exclude<PatchBody, { readonly type: "apply" }>;

const patched = (document: KubeObject, patch: PlainPatch, body: BodyKind): unknown => {
  if (patch.type === "json") {
    return jsonPatch(document, patch.operations);
  }
  return patch.type === "merge"
    ? mergePatch(document, patch.patch)
    : strategicPatch(document, patch.patch, body.schema);
};

/** Details of a body's text that its values do not preserve. */
export type BodyText = Pick<DecodedBody, "duplicates" | "decimals">;

/** Decoding options that depend on the request. */
export type DecodeCall = Pick<DecodeOptions, "fieldValidation" | "warn">;

/** The object that a JSON, merge or strategic patch makes of a document. Throws a 400, 413 or 422. */
export const patchedObject = (
  body: BodyKind,
  document: KubeObject,
  patch: PlainPatch,
  text: BodyText,
  call: DecodeCall,
): KubeObject => {
  try {
    const value = patched(document, patch, body);
    checkValues(value, maximumPatched);
    checkObjectSize(body.schema, value, () => document);
    return decodeObject({ ...text, value }, { ...call, body, from: "patch" });
  } catch (error) {
    throw refused(error);
  }
};

/** Who writes through which endpoint, and when. */
export type Writer = Pick<Write, "manager" | "time" | "subresource">;

const writeOf = (definition: ResourceDefinition, writer: Writer): Write => ({
  ...writer,
  schema: typedSchema(definition),
  hasStatus: hasSubresource(definition, "status"),
  apiVersion: apiVersionOf(definition),
});

/** Returns the result of server-side apply to an object. Throws a 400, 409 or 500. */
export const appliedObject = (
  definition: ResourceDefinition,
  {
    live,
    config,
    force,
  }: { readonly live: KubeObject | undefined; readonly config: KubeObject; readonly force: boolean },
  writer: Writer,
): KubeObject => {
  const { resourceVersion: _resourceVersion, uid: _uid, ...metadata } = config.metadata;
  let result: ReturnType<typeof serverSideApply>;
  try {
    result = serverSideApply({
      ...writeOf(definition, writer),
      live,
      force,
      config: { ...config, metadata },
    });
  } catch (error) {
    throw refused(error);
  }
  if ("conflicts" in result) {
    const { message, causes } = result.conflicts;
    throw new StatusError(409, "Conflict", message, { details: { causes } });
  }
  return normalised(definition, result.object, { keepNulls: definition.origin === "custom" });
};

/** `managedFields` after a plain write. */
export const ownersOf = (
  definition: ResourceDefinition,
  objects: { readonly live: KubeObject | undefined; readonly updated: KubeObject },
  writer: Writer,
): KubeObject["metadata"]["managedFields"] => applyUpdate({ ...writeOf(definition, writer), ...objects });
