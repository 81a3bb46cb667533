import { apiVersionOf, isJsonObject, type KubeObject } from "@capstan/schema";
import { type BodyKind, bodyKindOf, checkDecodable } from "../decode/decode-object.ts";
import { decimalsOfPatch } from "../decode/written-decimals.ts";
import { isLongWrite, longStepOf } from "./long-steps.ts";
import { checkObjectSize } from "./object-size.ts";
import { scaled, scaleOf } from "./scale.ts";
import { badRequest, conflict, StatusError, staleConflict } from "../model/status-error.ts";
import type { PatchBody, SubresourceDefinition } from "../model/types.ts";
import { type Change, insistedRevision } from "./update.ts";
import type { Served } from "./served.ts";
import { type WriteCall, type WriteEnvironment, writerOf } from "./write-call.ts";
import { appliedObject, type BodyText, patchedObject, type PlainPatch } from "./write-steps.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The body kind of a subresource, or of the object itself. */
export const subresourceBody = (call: WriteCall, subresource: SubresourceDefinition | undefined): BodyKind => {
  const main = bodyKindOf(call.definition);
  return subresource?.kind === undefined
    ? main
    : { ...main, ...subresource.kind, schema: subresource.schema ?? { "x-kubernetes-preserve-unknown-fields": true } };
};

/** The change that a JSON, merge or strategic patch makes. */
const plainPatch = (
  call: WriteCall,
  patch: PlainPatch,
  subresource: SubresourceDefinition | undefined,
  { duplicates = [], decimals: written = [] }: Partial<BodyText>,
): Change => {
  const { definition, fieldValidation, warn } = call;
  const body = subresourceBody(call, subresource);
  const decimals = decimalsOfPatch(patch.type, patch.type === "json" ? patch.operations : undefined, written);
  const text = { duplicates, decimals };
  const apply = (document: KubeObject): KubeObject =>
    patchedObject(body, document, patch, text, { fieldValidation, warn });
  const behaviour = subresource?.behaviour;
  return {
    ...(subresource === undefined ? {} : { subresource }),
    method: "patch",
    createsMissing: false,
    next: async (live) => {
      const { object } = live as Served;
      if (behaviour?.type === "scale") {
        return scaled(definition, object, apply(scaleOf(object, behaviour.scale)), behaviour.scale);
      }
      const values = patch.type === "json" ? patch.operations : patch.patch;
      const isLong = body.schema === definition.schema && isLongWrite(call, live, values);
      if (!isLong) return apply(object);
      const step = { type: "patch", patch: patch.type, text } as const;
      return (await longStepOf(call, step, [values, live?.text])) as KubeObject;
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
  const { uid } = config.metadata;
  const resourceVersion = insistedRevision(config.metadata);
  const name = live.metadata.name as string;
  if (uid !== undefined && uid !== live.metadata.uid) {
    throw conflict(
      call.definition,
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${live.metadata.uid}`,
    );
  }
  if (resourceVersion !== "" && resourceVersion !== live.metadata.resourceVersion) {
    throw staleConflict(call.definition, name);
  }
};

const applied = async (
  environment: WriteEnvironment,
  call: WriteCall,
  { config, force, live }: { readonly live: Served | undefined; readonly config: KubeObject; readonly force: boolean },
  subresource: string,
): Promise<KubeObject> => {
  const { definition } = call;
  checkObjectSize(definition.schema, config, () => live?.object);
  const writer = writerOf(environment, call, subresource);
  if (!isLongWrite(call, live, config)) {
    return appliedObject(definition, { live: live?.object, config, force }, writer);
  }
  return (await longStepOf(call, { type: "apply", force, writer }, [config, live?.text])) as KubeObject;
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
    next: async (live) => {
      if (live === undefined && config.metadata.uid !== undefined) {
        throw conflict(
          call.definition,
          name,
          "uid mismatch: the provided object specified a uid, and no existing object was found",
        );
      }
      if (live !== undefined) {
        checkAgainstLive(call, config, live.object);
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
  options: Partial<BodyText> & { readonly subresource?: SubresourceDefinition } = {},
): Change => {
  const { subresource } = options;
  if (patch.type !== "apply") {
    return plainPatch(call, patch, subresource, options);
  }
  return applyPatch(environment, call, name, patch, subresource);
};
