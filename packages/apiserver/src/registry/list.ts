import type { Collection } from "../storage/collection.ts";
import type { ObjectStorage } from "../storage/object-storage.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { Turn } from "./fair-turns.ts";
import { portions } from "./portions.ts";
import { selectionOf, type Selector } from "./selectors.ts";
import { isServedAsStored, type Served, serve } from "./served.ts";
import { badRequest, StatusError } from "../model/status-error.ts";
import type { ListQuery, ResourceDefinition } from "../model/types.ts";

export interface ListRequest extends ListQuery {
  /** 0: no limit. */
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: string;
}

export interface ListResult {
  readonly items: readonly Served[];
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

interface ContinueToken {
  readonly revision: number;
  readonly after: string;
}

const tokenVersion = "meta.k8s.io/v1";

const writeToken = (revision: number, key: string): string =>
  Buffer.from(JSON.stringify({ v: tokenVersion, rv: revision, start: `/${key}\0` })).toString("base64url");

const readToken = (token: string): ContinueToken => {
  try {
    const parsed = JSON.parse(Buffer.from(token, "base64url").toString()) as Record<string, unknown>;
    const { v, rv, start } = parsed;
    if (v === tokenVersion && typeof rv === "number" && rv > 0 && typeof start === "string" && start.startsWith("/")) {
      return { revision: rv, after: start.slice(1).replace(/\0$/, "") };
    }
  } catch (error) {
    throw badRequest("continue key is not valid", error);
  }
  throw badRequest("continue key is not valid");
};

const tooOld = (message: string): StatusError => new StatusError(410, "Expired", message);

/** Reads a resourceVersion; refuses one that is none, by default with a 400, or ahead of the server. */
export const readableRevision = (text: string, storage: ObjectStorage, refuse = badRequest): number => {
  if (!/^\d{1,19}$/.test(text)) {
    throw refuse(`Invalid value: ${JSON.stringify(text)}: resourceVersion must be a number`);
  }
  const revision = Number(text);
  if (revision > storage.revision) {
    throw new StatusError(504, "Timeout", `Too large resource version: ${text}, current: ${storage.revision}`, {
      details: {
        causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
        retryAfterSeconds: 1,
      },
    });
  }
  return revision;
};

/** The state the request asks for: a snapshot revision, or `undefined` for the newest. */
const snapshotRevision = (request: ListRequest, token: ContinueToken | undefined, storage: ObjectStorage) => {
  if (token !== undefined) {
    return token.revision;
  }
  const { resourceVersion = "", resourceVersionMatch: match = "", limit = 0 } = request;
  if (resourceVersion === "") {
    return undefined;
  }
  const revision = readableRevision(resourceVersion, storage);
  return match === "Exact" || (match === "" && revision > 0 && limit > 0) ? revision : undefined;
};

const candidatesAt = (
  collection: Collection,
  namespace: string,
  at: number | undefined,
  token: ContinueToken | undefined,
): readonly StoredObject[] => {
  const after = token?.after ?? "";
  if (at === undefined) {
    return [...collection.range(namespace, after)];
  }
  const state = collection.at(at, namespace, after);
  if (state === undefined) {
    throw tooOld(
      token === undefined
        ? `The resourceVersion for the provided list is too old: ${at} (${collection.history.floor})`
        : "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter",
    );
  }
  return state;
};

/** Only the object that can match, when the selector names one in one namespace. */
const named = (collection: Collection, definition: ResourceDefinition, namespace: string, name: string) => {
  if (definition.namespaced && namespace === "") {
    return undefined;
  }
  const object = collection.get(namespace, name);
  return object === undefined ? [] : [object];
};

/** Lists a resource, a long list in turns. The caller has waited for the storage to settle. */
export const listObjects = async (
  storage: ObjectStorage,
  definition: ResourceDefinition,
  request: ListRequest,
  turn?: Turn,
): Promise<ListResult> => {
  const { resourceVersion: wanted = "" } = request;
  if ((request.continue ?? "") !== "" && wanted !== "" && wanted !== "0") {
    throw badRequest("specifying resource version is not allowed when using continue");
  }
  const { select, name } = selectionOf(definition, request);
  const token = (request.continue ?? "") === "" ? undefined : readToken(request.continue as string);
  const collection = storage.collection(definition.storage.store);
  const namespace = request.namespace ?? "";
  const at = snapshotRevision(request, token, storage);
  const revision = at ?? storage.revision;
  const candidates =
    (name !== undefined && at === undefined ? named(collection, definition, namespace, name) : undefined) ??
    candidatesAt(collection, namespace, at, token);
  const limit = request.resourceVersion === "0" ? 0 : Math.max(request.limit ?? 0, 0);
  const resourceVersion = String(revision);
  if (select === undefined) {
    const page = limit === 0 ? candidates : candidates.slice(0, limit);
    const remaining = candidates.length - page.length;
    const items = await servedInTurns(definition, page, turn);
    return remaining === 0
      ? { items, resourceVersion }
      : {
          items,
          resourceVersion,
          continue: writeToken(revision, (page.at(-1) as StoredObject).key),
          remainingItemCount: remaining,
        };
  }
  const { items, last } = await selected(definition, candidates, {
    select,
    limit: limit === 0 ? Infinity : limit,
    turn,
  });
  return last === undefined
    ? { items, resourceVersion }
    : { items, resourceVersion, continue: writeToken(revision, last.key) };
};

const servedInTurns = async (
  definition: ResourceDefinition,
  page: readonly StoredObject[],
  turn: Turn | undefined,
): Promise<readonly Served[]> => {
  if (isServedAsStored(definition)) return page;
  const items: Served[] = [];
  for await (const portion of portions(page, { parsed: true, turn })) items.push(...(await serve(definition, portion)));
  return items;
};

/** The first `limit` selected objects, and the last of them when there are more. */
const selected = async (
  definition: ResourceDefinition,
  candidates: readonly StoredObject[],
  { select, limit, turn }: { readonly select: Selector; readonly limit: number; readonly turn: Turn | undefined },
): Promise<{ readonly items: readonly Served[]; readonly last: StoredObject | undefined }> => {
  const items: Served[] = [];
  let last: StoredObject | undefined;
  for await (const portion of portions(candidates, { parsed: true, turn })) {
    const served = await serve(definition, portion);
    for (const [index, stored] of portion.entries()) {
      const item = served[index] as Served;
      if (select(item.object)) {
        if (items.length === limit) {
          return { items, last };
        }
        items.push(item);
        last = stored;
      }
    }
  }
  return { items, last: undefined };
};
