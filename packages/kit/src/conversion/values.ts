import { isJsonObject } from "@capstan/schema";
import type { Shape } from "./shape.ts";

const maxInt32 = 2 ** 31 - 1;
const secondsOf: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, ns: 1e-9 };

/** Whole seconds of a Go duration such as `1h0m10.5s`, from 0 to the largest int32; undefined when it is none. */
export const parseSeconds = (text: string): number | undefined => {
  const [, sign, amounts] = /^([-+]?)(0|(?:(?:\d+\.?\d*|\.\d+)(?:h|ms|us|µs|ns|m|s))+)$/.exec(text) ?? [];
  if (amounts === undefined) return undefined;
  const parts = amounts.matchAll(/([\d.]+)(h|ms|us|µs|ns|m|s)/g);
  const total = [...parts].reduce((sum, [, amount, unit]) => sum + Number(amount) * (secondsOf[unit!] ?? 0), 0);
  return sign === "-" ? 0 : Math.min(Math.floor(total), maxInt32);
};

/** Seconds as Go writes durations: `1h0m10s`. */
export const formatSeconds = (total: number): string => {
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor((total % 3600) / 60);
  const seconds = `${total % 60}s`;
  if (hours > 0) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${minutes}m${seconds}` : seconds;
};

/** A Go duration that became whole seconds. */
export const durationToSeconds: Shape = {
  up: (value) => (typeof value === "string" ? parseSeconds(value) : undefined),
  down: (value) => (typeof value === "number" ? formatSeconds(value) : undefined),
};

/** A plain bool of the older version: its clients write false for unset. */
export const plainBool: Shape = { up: (value) => (value === false ? undefined : value), down: (value) => value };

/** A full reference that became group, kind and name. */
export const groupReference: Shape = {
  up: (value) => {
    if (!isJsonObject(value)) return undefined;
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
