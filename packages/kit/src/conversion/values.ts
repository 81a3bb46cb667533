import { formatSeconds, parseDurationSeconds } from "@capstan/kube-values";
import { isJsonObject } from "@capstan/schema";
import type { Shape } from "./shape.ts";

const maxInt32 = 2 ** 31 - 1;

/** Whole seconds, from 0 to the largest int32; undefined for what is not a duration. */
const secondsIn = (text: string): number | undefined => {
  const seconds = parseDurationSeconds(text);
  return seconds === undefined ? undefined : Math.max(0, Math.min(seconds, maxInt32));
};

/** A Go duration that became whole seconds. */
export const durationToSeconds: Shape = {
  up: (value) => (typeof value === "string" ? secondsIn(value) : undefined),
  down: (value) => (typeof value === "number" ? formatSeconds(value) : undefined),
};

/** A plain bool of the older version: its clients write false for unset. */
export const plainBool: Shape = { up: (value) => (value === false ? undefined : value), down: (value) => value };

/** A full reference that became group, kind and name. */
export const groupReference: Shape = {
  up: (value) => {
    // What names nothing is what programs in Go write for no reference.
    if (!isJsonObject(value) || (!value["kind"] && !value["name"])) return undefined;
    const [group, version] = String(value["apiVersion"] ?? "").split("/");
    return { apiGroup: version === undefined ? "" : group, kind: value["kind"], name: value["name"] };
  },
  down: (value, { namespace, apiVersionOf }) =>
    isJsonObject(value)
      ? {
          apiVersion: apiVersionOf(String(value["apiGroup"]), String(value["kind"])),
          kind: value["kind"],
          name: value["name"],
          ...(namespace !== undefined && { namespace }),
        }
      : undefined,
};
