import { CapstanError } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { parseInTurns, parseJson } from "@capstan/schema/structural";
import { withoutFieldOwnership } from "./without-field-ownership.ts";

export type WatchEvent =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK"; readonly object: KubeObject }
  | { readonly type: "ERROR"; readonly object: unknown };

const types = new Set(["ADDED", "MODIFIED", "DELETED", "BOOKMARK"]);

/** The event of one line. Throws `kube.undecodable` for anything that is not an event: the watch is then out of step. */
export const decodeWatchEvent = (line: Buffer): WatchEvent => {
  try {
    return eventOf(parseJson(withoutFieldOwnership(line)));
  } catch (cause) {
    throw notJson(cause);
  }
};

/** As `decodeWatchEvent`; while a long line is parsed, others are served. */
export const decodeLongWatchEvent = async (line: Buffer): Promise<WatchEvent> => {
  try {
    return eventOf(await parseInTurns(line.toString("utf8")));
  } catch (cause) {
    throw notJson(cause);
  }
};

const notJson = (cause: unknown): unknown => (cause instanceof SyntaxError ? undecodable("is not JSON", cause) : cause);

const eventOf = (parsed: unknown): WatchEvent => {
  const event = parsed as Partial<WatchEvent>;
  if (event.type === "ERROR") return { type: "ERROR", object: event.object };
  if (typeof event !== "object" || event === null || !types.has(event.type ?? "")) {
    throw undecodable("has no known type");
  }
  if (typeof (event.object as KubeObject | undefined)?.metadata?.resourceVersion !== "string") {
    throw undecodable("has no resourceVersion");
  }
  return event as WatchEvent;
};

const undecodable = (why: string, cause?: unknown): CapstanError =>
  new CapstanError({
    code: "kube.undecodable",
    reason: "UndecodableEvent",
    message: `a line of the watch ${why}; listing again`,
    cause,
  });
