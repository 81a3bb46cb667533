import { bodyKindOf } from "../decode/decode-object.ts";
import { createObject } from "../registry/create.ts";
import { deleteMatching } from "../registry/delete-collection.ts";
import { listObjects } from "../registry/list.ts";
import { invalidOption } from "../model/status-error.ts";
import { deleteOptions, numberOption, writeOptions } from "./query-options.ts";
import { jsonReply, type Reply } from "./reply.ts";
import { isTrue } from "./request-info.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { answerFormat, objectReply, readObject, readObjectBody, writeCallOf } from "./resource-io.ts";
import { streamWatch } from "./watch-stream.ts";

const listQuery = ({ url: { searchParams: query }, info }: ResourceRequest) => ({
  namespace: info.namespace,
  labelSelector: query.get("labelSelector") ?? "",
  fieldSelector: query.get("fieldSelector") ?? "",
});

/** GET of a collection: a list, or a watch. */
export const collectionGet = async (request: ResourceRequest): Promise<Reply | undefined> => {
  const { core, definition, url } = request;
  const query = url.searchParams;
  const { representation, reply } = answerFormat(request);
  const limit = numberOption(query, "limit") ?? 0;
  if (isTrue(query.get("watch"))) {
    return await streamWatch(request, definition, representation);
  }
  if (query.has("sendInitialEvents")) {
    throw invalidOption(
      "ListOptions",
      "sendInitialEvents",
      "FieldValueForbidden",
      "Forbidden: sendInitialEvents is forbidden for list",
    );
  }
  await core.storage.settled();
  const result = await listObjects(core.storage, definition, {
    ...listQuery(request),
    limit,
    continue: query.get("continue") ?? "",
    resourceVersion: query.get("resourceVersion") ?? "",
    resourceVersionMatch: query.get("resourceVersionMatch") ?? "",
  });
  return reply(200, await representation.list(result));
};

/** POST to a collection. */
export const collectionPost = async (request: ResourceRequest): Promise<Reply> => {
  const options = writeOptions("create", request.url.searchParams, false);
  const call = writeCallOf(request, options, "CreateOptions");
  const object = await readObject(request, call, bodyKindOf(request.definition));
  return objectReply(request, 201, await createObject(request.core.writes, call, object));
};

/** DELETE of a collection: answers the list of what was deleted. */
export const collectionDelete = async (request: ResourceRequest): Promise<Reply> => {
  const { core, url } = request;
  const given = deleteOptions(await readObjectBody(request), url.searchParams);
  const options = { dryRun: given.dryRun, fieldManager: undefined, fieldValidation: "Ignore", force: false } as const;
  const call = writeCallOf(request, options, "DeleteOptions");
  await core.storage.settled();
  const items = await deleteMatching(core.writes, call, listQuery(request), given);
  const { representation } = answerFormat(request);
  const resourceVersion = String(core.storage.revision);
  return {
    ...jsonReply(200, await representation.list({ items, resourceVersion })),
    contentType: representation.contentType,
  };
};
