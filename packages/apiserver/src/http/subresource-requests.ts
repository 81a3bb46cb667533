import { admitAction } from "../registry/admit-action.ts";
import { subresourceBody } from "../registry/patch.ts";
import { scaleOf } from "../registry/scale.ts";
import { StatusError } from "../model/status-error.ts";
import type { ActionCall, Verb } from "../model/types.ts";
import { hookContext } from "../registry/write-call.ts";
import { readItem } from "./item-requests.ts";
import { writeOptions } from "./write-options.ts";
import type { Reply } from "./reply.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { objectReply, otherReply, readObject, writeCallOf } from "./resource-io.ts";

/** GET of a subresource: the Scale view, or the object itself. */
export const subresourceGet = async (request: ResourceRequest): Promise<Reply> => {
  const behaviour = request.subresource?.behaviour;
  const served = await readItem(request);
  return behaviour?.type === "scale"
    ? otherReply(request, 200, scaleOf(served.object, behaviour.scale))
    : objectReply(request, 200, served);
};

/** A subresource whose answer is computed (binding, eviction, token). */
export const subresourceAction = async (request: ResourceRequest, verb: Verb): Promise<Reply> => {
  const { core, definition, info, subresource, url } = request;
  const behaviour = subresource?.behaviour;
  if (behaviour?.type !== "action") {
    const reason = behaviour?.type === "absent" && behaviour.reason !== undefined ? `: ${behaviour.reason}` : "";
    throw new StatusError(
      501,
      "NotImplemented",
      `${definition.plural}/${info.subresource} is not served here${reason}`,
    );
  }
  const call = writeCallOf(request, writeOptions(verb, url.searchParams, false), "CreateOptions");
  const { name } = info;
  const given = verb === "get" ? undefined : await readObject(request, call, subresourceBody(call, subresource));
  const body =
    given === undefined
      ? undefined
      : await admitAction(core.writes, call, { name, subresource: info.subresource, body: given });
  const action: ActionCall = {
    ...hookContext(core.writes, call),
    definition,
    namespace: call.namespace,
    name,
    verb,
    query: url.searchParams,
    ...(body === undefined ? {} : { body }),
  };
  return otherReply(request, verb === "create" ? 201 : 200, await behaviour.act(action));
};
