import { rfc3339 } from "@capstan/contract";
import { apiVersionOf, isJsonObject, type KubeObject } from "@capstan/schema";
import { typedSchema } from "../apply/typed-schema.ts";
import { serverSideApply } from "../apply/server-side-apply.ts";
import { type BodyKind, bodyKindOf, checkDecodable, decodeObject, normalised } from "../decode/decode-object.ts";
import { jsonPatch } from "../patch/json-patch.ts";
import { mergePatch } from "../patch/merge-patch.ts";
import { PatchError } from "../patch/patch-error.ts";
import { strategicPatch } from "../patch/strategic-patch.ts";
import { checkValues } from "../decode/json-text.ts";
import { decimalsOfPatch } from "../decode/written-decimals.ts";
import type { JsonPath } from "../decode/written-forms.ts";
import { checkObjectSize } from "./object-size.ts";
import { hasSubresource } from "./prepare.ts";
import { scaled, scaleOf } from "./scale.ts";
import { badRequest, conflict, StatusError, staleConflict } from "../model/status-error.ts";
import type { PatchBody, SubresourceDefinition } from "../model/types.ts";
import type { Change } from "./update.ts";
import type { WriteCall, WriteEnvironment } from "./write-call.ts";

type Fields = Readonly<Record<string, unknown>>;

const refused = (error: unknown): unknown => {
  if (!(error instanceof PatchError)) {
    return error;
  }
  const reason = { 400: "BadRequest", 413: "RequestEntityTooLarge", 422: "Invalid", 500: "" }[error.status];
  return new StatusError(error.status, reason, error.message, { cause: error });
};

const patched = (
  document: KubeObject,
  patch: Exclude<PatchBody, { readonly type: "apply" }>,
  body: BodyKind,
): unknown => {
  if (patch.type === "json") {
    return jsonPatch(document, patch.operations);
  }
  return patch.type === "merge"
    ? mergePatch(document, patch.patch)
    : strategicPatch(document, patch.patch, body.schema);
};

/** The body kind of a subresource, or of the object itself. */
export const subresourceBody = (call: WriteCall, subresource: SubresourceDefinition | undefined): BodyKind => {
  const main = bodyKindOf(call.definition);
  return subresource?.kind === undefined
    ? main
    : { ...main, ...subresource.kind, schema: subresource.schema ?? { "x-kubernetes-preserve-unknown-fields": true } };
};

/** What the text of a patch says besides its values. */
interface PatchText {
  /** Repeated members. */
  readonly duplicates?: readonly string[];
  /** Whole numbers that are written as decimals. */
  readonly decimals?: readonly JsonPath[];
}

/** The change that a JSON, merge or strategic patch makes. */
const plainPatch = (
  call: WriteCall,
  patch: Exclude<PatchBody, { readonly type: "apply" }>,
  subresource: SubresourceDefinition | undefined,
  { duplicates = [], decimals: written = [] }: PatchText,
): Change => {
  const body = subresourceBody(call, subresource);
  const decimals = decimalsOfPatch(patch.type, patch.type === "json" ? patch.operations : undefined, written);
  const apply = (document: KubeObject): KubeObject => {
    try {
      const value = patched(document, patch, body);
      checkValues(value);
      checkObjectSize(body.schema, value, document);
      const { fieldValidation, warn } = call;
      return decodeObject({ value, duplicates, decimals }, { body, from: "patch", fieldValidation, warn });
    } catch (error) {
      throw refused(error);
    }
  };
  const behaviour = subresource?.behaviour;
  return {
    ...(subresource === undefined ? {} : { subresource }),
    method: "patch",
    createsMissing: false,
    next: (live) => {
      const object = live as KubeObject;
      return behaviour?.type === "scale"
        ? scaled(call.definition, object, apply(scaleOf(object, behaviour.scale)), behaviour.scale)
        : apply(object);
    },
  };
};

/** Members that are not there when they are empty. */
const absentWhenEmpty: ReadonlySet<string> = new Set(["namespace", "resourceVersion", "uid"]);

const isAbsent = (name: string, value: unknown): boolean =>
  name === "creationTimestamp" ? value === null : absentWhenEmpty.has(name) && (value === null || value === "");

const presentMetadata = (metadata: Fields): Fields =>
  Object.fromEntries(Object.entries(metadata).filter(([name, value]) => !isAbsent(name, value)));

/** Checks that an applied configuration is of the kind and for the object of the URL. Throws a 400. */
const checkedConfig = (call: WriteCall, name: string, value: unknown, body: BodyKind): KubeObject => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw badRequest("the applied configuration must be an object");
  }
  const config = value as Fields;
  const apiVersion = apiVersionOf(body);
  if (config["apiVersion"] !== apiVersion || config["kind"] !== body.kind) {
    throw badRequest(
      `the applied configuration must have apiVersion ${apiVersion} and kind ${body.kind}, not ${String(config["apiVersion"])} and ${String(config["kind"])}`,
    );
  }
  const given = config["metadata"] ?? {};
  if (!isJsonObject(given)) {
    throw new StatusError(500, "", "the metadata of the applied configuration must be an object");
  }
  checkDecodable(body, config as KubeObject);
  const metadata = presentMetadata(given);
  if (metadata["name"] !== name) {
    throw badRequest(
      `name in the applied configuration (${String(metadata["name"])}) must be that of the URL (${name})`,
    );
  }
  if (call.definition.namespaced && (metadata["namespace"] ?? call.namespace) !== call.namespace) {
    throw badRequest(
      `namespace in the applied configuration (${String(metadata["namespace"])}) must be that of the URL (${call.namespace})`,
    );
  }
  return { ...(config as KubeObject), metadata };
};

const checkAgainstLive = (call: WriteCall, config: KubeObject, live: KubeObject): void => {
  const { uid, resourceVersion } = config.metadata;
  const name = live.metadata.name as string;
  if (uid !== undefined && uid !== live.metadata.uid) {
    throw conflict(
      call.definition,
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${live.metadata.uid}`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== live.metadata.resourceVersion) {
    throw staleConflict(call.definition, name);
  }
};

const applied = (
  environment: WriteEnvironment,
  call: WriteCall,
  apply: { readonly live: KubeObject | undefined; readonly config: KubeObject; readonly force: boolean },
  subresource: string,
): KubeObject => {
  const { definition } = call;
  checkObjectSize(definition.schema, apply.config, apply.live);
  const { resourceVersion: _resourceVersion, uid: _uid, ...metadata } = apply.config.metadata;
  let result: ReturnType<typeof serverSideApply>;
  try {
    result = serverSideApply({
      ...apply,
      config: { ...apply.config, metadata },
      schema: typedSchema(definition),
      hasStatus: hasSubresource(definition, "status"),
      manager: call.fieldManager,
      apiVersion: apiVersionOf(definition),
      subresource,
      time: rfc3339(environment.clock.now()),
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

/** The configuration of the object itself: an applied Scale configures its replicas. */
const applyConfig = (
  call: WriteCall,
  name: string,
  value: unknown,
  subresource: SubresourceDefinition | undefined,
): KubeObject => {
  const config = checkedConfig(call, name, value, subresourceBody(call, subresource));
  if (subresource?.behaviour.type !== "scale") {
    return config;
  }
  const { kind } = call.definition;
  const bare = { apiVersion: apiVersionOf(call.definition), kind, metadata: config.metadata };
  return scaled(call.definition, bare, config, subresource.behaviour.scale);
};

/** The change that server-side apply makes. */
const applyPatch = (
  environment: WriteEnvironment,
  call: WriteCall,
  name: string,
  patch: Extract<PatchBody, { readonly type: "apply" }>,
  subresource: SubresourceDefinition | undefined,
): Change => {
  const config = applyConfig(call, name, patch.object, subresource);
  const force = patch.force === true;
  return {
    ...(subresource === undefined ? {} : { subresource }),
    method: "apply",
    createsMissing: subresource === undefined,
    next: (live) => {
      if (live === undefined && config.metadata.uid !== undefined) {
        throw conflict(
          call.definition,
          name,
          "uid mismatch: the provided object specified a uid, and no existing object was found",
        );
      }
      if (live !== undefined) {
        checkAgainstLive(call, config, live);
      }
      return applied(environment, call, { live, config, force }, subresource?.name ?? "");
    },
  };
};

/** What a patch wants, for `updateObject`. */
export const patchChange = (
  environment: WriteEnvironment,
  call: WriteCall,
  name: string,
  patch: PatchBody,
  options: PatchText & { readonly subresource?: SubresourceDefinition } = {},
): Change => {
  const { subresource } = options;
  if (patch.type !== "apply") {
    return plainPatch(call, patch, subresource, options);
  }
  return applyPatch(environment, call, name, patch, subresource);
};
