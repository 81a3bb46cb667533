import { bodyKindOf } from "../decode/decode-object.ts";
import { admitAction } from "../registry/admit-action.ts";
import { servedObject } from "../registry/served.ts";
import { methodNotAllowed, notFound } from "../model/status-error.ts";
import type { ActionCall, Verb } from "../model/types.ts";
import { hookContext } from "../registry/write-call.ts";
import { selectionOf } from "../registry/selectors.ts";
import { listOptions } from "./list-options.ts";
import { writeOptions } from "./write-options.ts";
import type { Reply } from "./reply.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { answerFormat, objectReply, readObject, writeCallOf } from "./resource-io.ts";

const actionCall = async (request: ResourceRequest, verb: Verb): Promise<ActionCall> => {
  const { core, definition, info, url } = request;
  const call = writeCallOf(request, writeOptions(verb, url.searchParams, false), "CreateOptions");
  const given = verb === "create" ? await readObject(request, call, bodyKindOf(definition)) : undefined;
  const about = { name: given?.metadata.name ?? "", subresource: "" };
  const body = given === undefined ? undefined : await admitAction(core.writes, call, { ...about, body: given });
  return {
    ...hookContext(core.writes, call),
    definition,
    namespace: call.namespace,
    name: info.name,
    verb,
    query: url.searchParams,
    ...(body === undefined ? {} : { body }),
  };
};

/** Kinds without a store: reviews and computed lists. */
export const virtualRequest = async (request: ResourceRequest, method: string): Promise<Reply> => {
  const { core, definition, info, url } = request;
  const virtual = definition.virtual ?? {};
  if (method === "POST" && info.name === "" && virtual.create !== undefined) {
    return objectReply(request, 201, servedObject(await virtual.create(await actionCall(request, "create"))));
  }
  if (method === "GET" && info.name !== "" && virtual.get !== undefined) {
    const object = await virtual.get(await actionCall(request, "get"));
    if (object === undefined) {
      throw notFound(definition, info.name);
    }
    return objectReply(request, 200, servedObject(object));
  }
  if (method === "GET" && info.name === "" && virtual.list !== undefined) {
    const { representation, reply } = answerFormat(request);
    const { select = () => true } = selectionOf(definition, listOptions(url.searchParams));
    const objects = await virtual.list(await actionCall(request, "list"));
    const items = objects.filter(select).map(servedObject);
    return reply(200, await representation.list({ items, resourceVersion: String(core.storage.revision) }));
  }
  throw methodNotAllowed();
};
