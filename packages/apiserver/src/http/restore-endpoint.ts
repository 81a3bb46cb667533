import { setImmediate as nextTurn } from "node:timers/promises";
import { parseInTurns } from "@capstan/schema/structural";
import type { KubeObject } from "@capstan/schema";
import { restoreObject, type Restored } from "../registry/restore-object.ts";
import { badRequest, isStatusError } from "../model/status-error.ts";
import { readBody } from "./body.ts";
import type { Endpoint, RequestContext } from "./context.ts";
import { jsonReply, type Reply } from "./reply.ts";

interface RestoreRequest {
  /** Default `keep`. */
  readonly existing?: "keep" | "replace";
  /** The server continues counting above this one. */
  readonly resourceVersion?: string;
  readonly items: readonly KubeObject[];
}

type Result = Restored | { readonly outcome: "refused"; readonly message: string };

const maximumBytes = 16 * 1024 * 1024;

const isObject = (value: unknown): value is KubeObject => {
  const object = value as Partial<KubeObject> | null;
  return (
    typeof object === "object" &&
    object !== null &&
    typeof object.apiVersion === "string" &&
    typeof object.kind === "string" &&
    typeof object.metadata === "object" &&
    object.metadata !== null
  );
};

const parsed = async (text: string): Promise<RestoreRequest> => {
  let body: Partial<RestoreRequest> | null;
  try {
    body = (await parseInTurns(text)) as Partial<RestoreRequest> | null;
  } catch (error) {
    throw badRequest(`the body is not JSON: ${(error as Error).message}`, error);
  }
  const { items, existing = "keep", resourceVersion = "0" } = body ?? {};
  if (!Array.isArray(items) || !items.every(isObject)) {
    throw badRequest("items must be a list of objects with apiVersion, kind and metadata");
  }
  if ((existing !== "keep" && existing !== "replace") || !/^\d{1,15}$/.test(resourceVersion)) {
    throw badRequest("existing must be keep or replace, resourceVersion a number in quotes");
  }
  return { items, existing, resourceVersion };
};

/** Items after which others are served; between large ones they are anyway. */
const itemsOfTurn = 100;

const restoreAll = async (context: RequestContext, { items, existing = "keep" }: RestoreRequest) => {
  const results: Result[] = [];
  const written: Promise<void>[] = [];
  for (const [index, item] of items.entries()) {
    if (index % itemsOfTurn === itemsOfTurn - 1) await nextTurn();
    try {
      const { restored, durable } = await restoreObject(context.core, item, existing);
      results.push(restored);
      written.push(durable);
    } catch (error) {
      if (!isStatusError(error)) {
        throw error;
      }
      results.push({ outcome: "refused", message: error.message });
    }
  }
  await Promise.all(written);
  return results;
};

const restore = async (context: RequestContext): Promise<Reply> => {
  const { core, request } = context;
  if (request.method !== "POST") {
    return jsonReply(200, JSON.stringify({ resourceVersion: String(core.storage.revision) }));
  }
  const asked = await parsed((await readBody(request, maximumBytes)).toString());
  core.storage.advance(Number(asked.resourceVersion));
  return jsonReply(200, JSON.stringify({ results: await restoreAll(context, asked) }));
};

/**
 * `/capstan/v1/restore`: a POST stores objects with the identity and status they have, for restoring a backup. As any path it needs a
 * right by `nonResourceURLs`, which only administrators have.
 */
export const restoreEndpoint: Endpoint = Object.assign(restore, { methods: ["GET", "POST"] });
