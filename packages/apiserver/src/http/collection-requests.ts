import { bodyKindOf } from "../decode/decode-object.ts";
import { createObject } from "../registry/create.ts";
import { deleteMatching } from "../registry/delete-collection.ts";
import { listObjects } from "../registry/list.ts";
import { deleteOptions } from "./delete-options.ts";
import { listOptions } from "./list-options.ts";
import type { Reply } from "./reply.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { answerFormat, objectReply, readObject, readObjectBody, writeCallOf } from "./resource-io.ts";
import { streamWatch } from "./watch-stream.ts";
import { writeOptions } from "./write-options.ts";

/** GET of a collection: a list, or a watch. */
export const collectionGet = async (request: ResourceRequest): Promise<Reply | undefined> => {
  const { core, definition, info, turn, url } = request;
  const { representation, reply } = answerFormat(request);
  const options = listOptions(url.searchParams);
  if (options.watch) {
    return await streamWatch(request, definition, representation, options);
  }
  await core.storage.settled();
  const result = await listObjects(core.storage, definition, { ...options, namespace: info.namespace }, turn);
  return reply(200, await representation.list(result, turn));
};

/** POST to a collection. */
export const collectionPost = async (request: ResourceRequest): Promise<Reply> => {
  const options = writeOptions("create", request.url.searchParams, false);
  const call = writeCallOf(request, options, "CreateOptions");
  const object = await readObject(request, call, bodyKindOf(request.definition));
  return objectReply(request, 201, await createObject(request.core.writes, call, object));
};

/** DELETE of a collection, or of one page of it: answers the list of what was deleted. */
export const collectionDelete = async (request: ResourceRequest): Promise<Reply> => {
  const { core, info, url } = request;
  const { representation, reply } = answerFormat(request);
  const query = { ...listOptions(url.searchParams), namespace: info.namespace };
  const given = deleteOptions(await readObjectBody(request), url.searchParams);
  const options = { dryRun: given.dryRun, fieldManager: undefined, fieldValidation: "Ignore", force: false } as const;
  const call = writeCallOf(request, options, "DeleteOptions");
  await core.storage.settled();
  return reply(200, await representation.list(await deleteMatching(core.writes, call, query, given)));
};
