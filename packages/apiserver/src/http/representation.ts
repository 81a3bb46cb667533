import { setImmediate as nextTurn } from "node:timers/promises";
import { jsonText } from "@capstan/schema/structural";
import { apiVersionOf, type KubeObject } from "@capstan/schema";
import type { Turn } from "../registry/fair-turns.ts";
import type { ListResult } from "../registry/list.ts";
import { portions } from "../registry/portions.ts";
import type { Served } from "../registry/served.ts";
import { badRequest } from "../model/status-error.ts";
import type { ResourceDefinition } from "../model/types.ts";
import type { StoredChange } from "../storage/stored-object.ts";
import { type IncludeObject, rowOf, tableOf } from "../table/table-of.ts";
import type { Format } from "./negotiation.ts";
import { RecentValues } from "./recent-values.ts";

/** Enough for watchers that lag a little. */
const keptEvents = 64;

type ListMeta = Pick<ListResult, "resourceVersion" | "continue" | "remainingItemCount">;

/** Writes objects of one kind as JSON text in the view a client wants. */
export interface Representation {
  readonly contentType: string;
  one(served: Served): string;
  /** Default of `turn`: a turn of the event loop between portions. */
  list(result: ListResult, turn?: Turn): Promise<string | Buffer>;
  /** Events as they were sent to watchers lately. Absent when each watcher's events are its own. */
  readonly events?: RecentValues<StoredChange, Buffer>;
  /** The object of a watch event; `isFirst` tells a Table to name its columns. */
  eventObject(served: Served, isFirst: boolean): string;
  /** The object of a bookmark. */
  bookmark(resourceVersion: string, annotations: Readonly<Record<string, string>> | undefined): string;
}

const listMeta = (definition: ResourceDefinition, result: ListMeta): Readonly<Record<string, unknown>> => ({
  resourceVersion: result.resourceVersion,
  ...(result.continue === undefined
    ? definition.origin === "custom"
      ? { continue: "" }
      : {}
    : { continue: result.continue }),
  ...(result.remainingItemCount === undefined ? {} : { remainingItemCount: result.remainingItemCount }),
});

const bookmarkMeta = (resourceVersion: string, annotations: Readonly<Record<string, string>> | undefined) => ({
  resourceVersion,
  ...(annotations === undefined ? {} : { annotations }),
});

/** Longer lists are put together outside of the heap, where a large text would bring on a collection of all that is there. */
const joinedUpToBytes = 64 * 1024;

/** A document and, as its last member, a long list: joined without holding up the event loop. */
const listText = async (
  document: Readonly<Record<string, unknown>>,
  member: string,
  items: readonly Served[],
  textOf: (served: Served) => string,
  { parsed, turn }: { readonly parsed: boolean; readonly turn: Turn | undefined },
): Promise<string | Buffer> => {
  const head = `${jsonText(document).slice(0, -1)},${JSON.stringify(member)}:[`;
  const parts: (readonly string[])[] = [];
  let bytes = Buffer.byteLength(head) + "]}".length;
  for await (const portion of portions(items, { parsed, turn })) {
    const texts = portion.map(textOf);
    parts.push(texts);
    for (const text of texts) bytes += Buffer.byteLength(text) + ",".length;
  }
  if (bytes <= joinedUpToBytes) {
    return `${head}${parts.flat().join(",")}]}`;
  }
  const buffer = Buffer.allocUnsafeSlow(bytes);
  let end = buffer.write(head);
  for (const [index, texts] of parts.entries()) {
    if (index > 0) await (turn?.wait ?? nextTurn)();
    for (const text of texts) {
      end += buffer.write(text, end);
      end += buffer.write(",", end);
    }
  }
  // In the place of the last comma.
  if (end > Buffer.byteLength(head)) end -= 1;
  end += buffer.write("]}", end);
  return buffer.subarray(0, end);
};

const whole = (definition: ResourceDefinition): Representation => ({
  contentType: "application/json",
  events: new RecentValues(keptEvents),
  one: ({ text }) => text,
  list: (result, turn) =>
    listText(
      { kind: definition.listKind, apiVersion: apiVersionOf(definition), metadata: listMeta(definition, result) },
      "items",
      result.items,
      ({ text }) => text,
      { parsed: false, turn },
    ),
  eventObject: ({ text }) => text,
  bookmark: (resourceVersion, annotations) =>
    JSON.stringify({
      kind: definition.kind,
      apiVersion: apiVersionOf(definition),
      metadata: bookmarkMeta(resourceVersion, annotations),
    }),
});

const metadataOnly = (definition: ResourceDefinition, version: string): Representation => {
  const apiVersion = `meta.k8s.io/${version}`;
  const text = ({ object }: Served): string =>
    JSON.stringify({ kind: "PartialObjectMetadata", apiVersion, metadata: object.metadata });
  return {
    contentType: `application/json;as=PartialObjectMetadata;v=${version};g=meta.k8s.io`,
    events: new RecentValues(keptEvents),
    one: text,
    list: (result, turn) =>
      listText(
        { kind: "PartialObjectMetadataList", apiVersion, metadata: listMeta(definition, result) },
        "items",
        result.items,
        text,
        { parsed: true, turn },
      ),
    eventObject: text,
    bookmark: (resourceVersion, annotations) =>
      JSON.stringify({
        kind: "PartialObjectMetadata",
        apiVersion,
        metadata: bookmarkMeta(resourceVersion, annotations),
      }),
  };
};

/** Which part of each object a Table carries. Throws a 400. */
const includeObjectOf = (text: string | null): IncludeObject => {
  const value = text === null || text === "" ? "Metadata" : text;
  if (value !== "Metadata" && value !== "Object" && value !== "None") {
    throw badRequest(`unrecognized includeObject value: ${JSON.stringify(value)}`);
  }
  return value;
};

const versionOf = ({ object }: Served) => ({ resourceVersion: object.metadata.resourceVersion });

const table = (
  definition: ResourceDefinition,
  version: "v1" | "v1beta1",
  includeObject: IncludeObject,
  now: () => number,
): Representation => {
  const text = (objects: readonly KubeObject[], meta: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
    ...tableOf({ definition, objects, now: now(), includeObject, listMeta: meta }),
    apiVersion: `meta.k8s.io/${version}`,
  });
  return {
    contentType: `application/json;as=Table;v=${version};g=meta.k8s.io`,
    one: (served) => jsonText(text([served.object], versionOf(served))),
    list: (result, turn) => {
      const { rows: _, ...document } = text([], listMeta({ ...definition, origin: "builtin" }, result));
      const row = rowOf(definition, now(), includeObject);
      return listText(document, "rows", result.items, ({ object }) => jsonText(row(object)), {
        parsed: true,
        turn,
      });
    },
    eventObject: (served, isFirst) => {
      const one = text([served.object], versionOf(served));
      return jsonText(isFirst ? one : { ...one, columnDefinitions: null });
    },
    bookmark: (resourceVersion, annotations) =>
      JSON.stringify({ ...text([], {}), metadata: bookmarkMeta(resourceVersion, annotations), rows: null }),
  };
};

/** Representations by definition and view: watchers that share one share the encodings of events. */
export type RepresentationCache = WeakMap<ResourceDefinition, Map<string, Representation>>;

/** The view of `definition` that was negotiated. */
export const representationOf = (
  definition: ResourceDefinition,
  format: Format,
  options: {
    readonly includeObject: string | null;
    readonly now: () => number;
    readonly cache: RepresentationCache;
  },
): Representation => {
  const key = `${format.as?.view ?? ""}/${format.as?.version ?? ""}`;
  const known = options.cache.get(definition) ?? new Map<string, Representation>();
  options.cache.set(definition, known);
  const remembered = known.get(key);
  if (remembered !== undefined) {
    return remembered;
  }
  if (format.as?.view === "Table") {
    return table(definition, format.as.version, includeObjectOf(options.includeObject), options.now);
  }
  const made = format.as === undefined ? whole(definition) : metadataOnly(definition, format.as.version);
  known.set(key, made);
  return made;
};
