import { CapstanError } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { parseJson } from "@capstan/schema/structural";
import { withoutFieldOwnership } from "./without-field-ownership.ts";

export type WatchEvent =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK"; readonly object: KubeObject }
  | { readonly type: "ERROR"; readonly object: unknown };

const types = new Set(["ADDED", "MODIFIED", "DELETED", "BOOKMARK"]);

/** The event of one line. Throws `kube.undecodable` for anything that is not an event: the watch is then out of step. */
export const decodeWatchEvent = (line: Buffer): WatchEvent => {
  let event: Partial<WatchEvent>;
  try {
    event = parseJson(withoutFieldOwnership(line)) as Partial<WatchEvent>;
  } catch (cause) {
    throw undecodable("is not JSON", cause);
  }
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
