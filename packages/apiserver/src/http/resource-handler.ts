import { badRequest, methodNotAllowed, noSuchResource, notFound } from "../model/status-error.ts";
import type { RequestInfo, ResourceDefinition, Verb } from "../model/types.ts";
import type { RequestContext } from "./context.ts";
import { collectionDelete, collectionGet, collectionPost } from "./collection-requests.ts";
import { itemDelete, itemGet, itemPatch, itemPut, patchTypeOf } from "./item-requests.ts";
import { podLog } from "./pod-log-requests.ts";
import { portForward } from "./port-forward-requests.ts";
import { pageNotFound, type Reply, unknownPath } from "./reply.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { subresourceAction, subresourceGet } from "./subresource-requests.ts";
import { virtualRequest } from "./virtual-requests.ts";

const verbsOfMethod: Readonly<Record<string, Verb>> = {
  GET: "get",
  POST: "create",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};

/** A change of no object in particular, as the handler of custom resources refuses it. */
const unnamedRequest = (request: ResourceRequest, method: string, isScoped: boolean): never | Promise<Reply> => {
  if (!isScoped) return Promise.resolve(pageNotFound);
  if (method === "PATCH") patchTypeOf(request);
  if (method === "PATCH" || method === "PUT") throw badRequest("name must be provided");
  throw methodNotAllowed();
};

const collectionRequest = (request: ResourceRequest, method: string): Promise<Reply | undefined> => {
  const { definition, info } = request;
  const isScoped = !definition.namespaced || info.namespace !== "";
  const { verbs } = definition;
  if (method === "GET" && verbs.includes("list")) {
    return collectionGet(request);
  }
  if (method === "POST" && isScoped && verbs.includes("create")) {
    return collectionPost(request);
  }
  if (method === "DELETE" && isScoped && verbs.includes("deletecollection")) {
    return collectionDelete(request);
  }
  if (definition.origin === "custom") {
    return unnamedRequest(request, method, isScoped);
  }
  throw methodNotAllowed();
};

/** Subresources that connect to what runs in a Pod. */
const connecting: ReadonlySet<string> = new Set(["/pods/attach", "/pods/exec", "/pods/portforward"]);

const itemRequest = async (request: ResourceRequest, method: string): Promise<Reply | undefined> => {
  const { definition, subresource } = request;
  const verb = verbsOfMethod[method];
  // A custom resource is created below any name: that of the body counts.
  if (verb === "create" && definition.origin === "custom" && subresource === undefined) {
    return collectionPost(request);
  }
  const verbs = (subresource ?? definition).verbs;
  if (verb === undefined || !verbs.includes(verb) || (subresource === undefined && verb === "create")) {
    throw methodNotAllowed();
  }
  // A WebSocket begins with GET, and must not do more than a reader may.
  if (verb === "get" && connecting.has(`${definition.group}/${definition.plural}/${subresource?.name ?? ""}`)) {
    request.authorize("create");
  }
  const type = subresource?.behaviour.type;
  if (type === "ports") {
    return portForward(request);
  }
  if (type === "log") {
    return podLog(request);
  }
  if (type === "action" || type === "absent") {
    return subresourceAction(request, verb);
  }
  switch (verb) {
    case "get":
      return subresource === undefined ? itemGet(request) : subresourceGet(request);
    case "update":
      return itemPut(request);
    case "patch":
      return itemPatch(request);
    case "delete":
      return itemDelete(request);
    default:
      throw methodNotAllowed();
  }
};

/** Returns whether a kind is served under the path of a request: its scope is that of the path, and nothing is left out of the path. */
const isServedAt = ({ namespaced, verbs }: ResourceDefinition, info: RequestInfo): boolean => {
  const isItem = info.name !== "";
  if (!isItem && info.subresource !== "") {
    return false;
  }
  if (info.isInNamespace === true) {
    return namespaced && info.namespace !== "";
  }
  return !namespaced || (!isItem && verbs.includes("list"));
};

/** Answers requests below `/api/v1` and `/apis/GROUP/VERSION`. */
export const resourceHandler = async (context: RequestContext): Promise<Reply | undefined> => {
  const { core, info, request } = context;
  const method = request.method ?? "GET";
  const { snapshot } = core.registry;
  const definition = snapshot.find(info.group, info.version, info.resource);
  if (definition === undefined) {
    return unknownPath(core, info.group, info.version);
  }
  if (!isServedAt(definition, info)) {
    return pageNotFound;
  }
  if (definition.deprecationWarning !== undefined) {
    context.warn(definition.deprecationWarning);
  }
  const subresource = definition.subresources.find(({ name }) => name === info.subresource);
  if (info.subresource !== "" && subresource === undefined) {
    throw definition.origin === "custom" ? notFound(definition, info.name) : noSuchResource();
  }
  const resourceRequest = { ...context, definition, subresource };
  if (definition.virtual !== undefined) {
    return await virtualRequest(resourceRequest, method);
  }
  return await (info.name !== "" ? itemRequest(resourceRequest, method) : collectionRequest(resourceRequest, method));
};
