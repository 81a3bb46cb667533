import { setImmediate as nextTurn } from "node:timers/promises";
import { flowOf } from "@capstan/evaluation";
import type { KubeObject } from "@capstan/schema";
import { deleteObject } from "../registry/delete.ts";
import { readableRevision } from "../registry/list.ts";
import { patchChange, subresourceBody } from "../registry/patch.ts";
import { scaled, scaleOf } from "../registry/scale.ts";
import { type Served, serveOne } from "../registry/served.ts";
import { badRequest, notFound, StatusError } from "../model/status-error.ts";
import type { PatchBody, Status } from "../model/types.ts";
import { type Change, updateObject } from "../registry/update.ts";
import type { WriteCall } from "../registry/write-call.ts";
import { type DecodedBody, readJsonText } from "../decode/json-text.ts";
import { contentType, parseYamlText, readBody, unsupportedMediaType } from "./body.ts";
import { deleteOptions } from "./delete-options.ts";
import { writeOptions } from "./write-options.ts";
import { isTrue } from "./query-values.ts";
import { jsonReply, type Reply } from "./reply.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { objectReply, otherReply, readObject, readObjectBody, writeCallOf } from "./resource-io.ts";

/** Checks the options of a GET: the response must not be older than `resourceVersion`. Throws a 400, 500 or 504. */
const checkGetOptions = ({ core, url: { searchParams: query } }: ResourceRequest): void => {
  if (query.has("export") && isTrue(query.get("export"))) {
    throw badRequest("export is no longer supported");
  }
  const revision = query.get("resourceVersion") ?? "";
  if (revision !== "") {
    readableRevision(revision, core.storage, (message) => new StatusError(500, "", message));
  }
};

/** The stored object that a request names, in the request's version. Throws a 404. */
export const readItem = async (request: ResourceRequest): Promise<Served> => {
  const { core, definition, info } = request;
  checkGetOptions(request);
  await core.storage.settled();
  const collection = core.storage.collection(definition.storage.store);
  const stored = collection.get(definition.namespaced ? info.namespace : "", info.name);
  if (stored === undefined) {
    throw notFound(definition, info.name);
  }
  return await serveOne(definition, stored);
};

/** GET of one object. */
export const itemGet = async (request: ResourceRequest): Promise<Reply> =>
  objectReply(request, 200, await readItem(request));

/** Answers a changed object, or its Scale when that was the subject. */
const changedReply = (request: ResourceRequest, code: number, served: Served): Reply => {
  const behaviour = request.subresource?.behaviour;
  return behaviour?.type === "scale"
    ? otherReply(request, code, scaleOf(served.object, behaviour.scale))
    : objectReply(request, code, served);
};

const putChange = (request: ResourceRequest, call: WriteCall, body: KubeObject): Change => {
  const { definition, subresource } = request;
  const behaviour = subresource?.behaviour;
  return {
    ...(subresource === undefined ? {} : { subresource }),
    method: "put",
    createsMissing: subresource === undefined && definition.strategy.createOnUpdate === true,
    next: (live) =>
      behaviour?.type === "scale" ? scaled(call.definition, (live as Served).object, body, behaviour.scale) : body,
  };
};

/** PUT of one object or subresource. */
export const itemPut = async (request: ResourceRequest): Promise<Reply> => {
  const { core, info, subresource, url } = request;
  const call = writeCallOf(request, writeOptions("update", url.searchParams, false), "UpdateOptions");
  const body = await readObject(request, call, subresourceBody(call, subresource));
  if ((body.metadata.name ?? "") !== info.name) {
    throw badRequest(
      `the name of the object (${body.metadata.name ?? ""}) does not match the name on the URL (${info.name})`,
    );
  }
  const { served, created } = await updateObject(core.writes, call, info.name, putChange(request, call, body));
  return changedReply(request, created ? 201 : 200, served);
};

const patchTypes = {
  "application/json-patch+json": "json",
  "application/merge-patch+json": "merge",
  "application/strategic-merge-patch+json": "strategic",
  "application/apply-patch+yaml": "apply",
} as const;

/** The kind of patch that a request brings. Throws a 415. */
export const patchTypeOf = (request: ResourceRequest): (typeof patchTypes)[keyof typeof patchTypes] => {
  const type = contentType(request.request);
  const isCustom = request.definition.origin === "custom";
  const supported = Object.keys(patchTypes).filter((name) => !isCustom || !name.includes("strategic"));
  if (!supported.includes(type)) {
    throw unsupportedMediaType(supported);
  }
  return patchTypes[type as keyof typeof patchTypes];
};

const patchBodyOf = (type: PatchBody["type"], { value }: DecodedBody, force: boolean): PatchBody => {
  switch (type) {
    case "json":
      return { type, operations: value };
    case "apply":
      return { type, object: value, force };
    default:
      return { type, patch: value };
  }
};

/** To look at each field of a longer patch takes milliseconds. */
const longText = 2 ** 16;

/** PATCH of one object or subresource. */
export const itemPatch = async (request: ResourceRequest): Promise<Reply> => {
  const { core, info, subresource, url } = request;
  const type = patchTypeOf(request);
  const options = writeOptions("patch", url.searchParams, type === "apply");
  const call = writeCallOf(request, options, "PatchOptions");
  const text = (await readBody(request.request)).toString();
  const decoded =
    type === "apply" ? await parseYamlText(text, flowOf(info.namespace, request.user.name)) : await readJsonText(text);
  request.audit?.requestBody(decoded.value);
  const isLong = text.length > longText;
  if (isLong) await nextTurn();
  const change = patchChange(core.writes, call, info.name, patchBodyOf(type, decoded, options.force), {
    ...decoded,
    ...(subresource === undefined ? {} : { subresource }),
  });
  if (isLong) await nextTurn();
  const { served, created } = await updateObject(core.writes, call, info.name, change);
  return changedReply(request, created ? 201 : 200, served);
};

/** Kinds whose deletion is answered with the object, also when it is gone: `group/plural`. */
const returnedWhenDeleted: ReadonlySet<string> = new Set([
  "/persistentvolumeclaims",
  "/persistentvolumes",
  "/pods",
  "/podtemplates",
  "/resourcequotas",
  "/serviceaccounts",
  "/services",
  "storage.k8s.io/csidrivers",
  "storage.k8s.io/csinodes",
  "storage.k8s.io/storageclasses",
  "storage.k8s.io/volumeattachments",
]);

/** DELETE of one object: a Status when it is gone, the object while something holds it. */
export const itemDelete = async (request: ResourceRequest): Promise<Reply> => {
  const { core, definition, info, url } = request;
  const given = deleteOptions(await readObjectBody(request), url.searchParams);
  const options = { dryRun: given.dryRun, fieldManager: undefined, fieldValidation: "Ignore", force: false } as const;
  const call = writeCallOf(request, options, "DeleteOptions");
  const { served, gone, durable } = await deleteObject(core.writes, call, info.name, given);
  await durable;
  if (!gone || returnedWhenDeleted.has(`${definition.group}/${definition.plural}`)) {
    return objectReply(request, !gone && given.orphanDependents === false ? 202 : 200, served);
  }
  const { uid } = served.object.metadata;
  const status: Status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: {
      name: info.name,
      ...(definition.group === "" ? {} : { group: definition.group }),
      kind: definition.plural,
      ...(uid === undefined ? {} : { uid }),
    },
  };
  return jsonReply(200, JSON.stringify(status));
};
