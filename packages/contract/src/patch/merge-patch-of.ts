import { isJsonObject, sameJson } from "@capstan/schema";

type Json = Readonly<Record<string, unknown>>;

/** Without members that are null or undefined: what a merge patch can say about a new value. */
const settable = (value: unknown): unknown => {
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(entries.map(([name, member]) => [name, settable(member)]));
};

/**
 * The JSON merge patch that turns one object into another, or `undefined` when they are equal. Lists are replaced as a
 * whole; a member that is null or `undefined` in `after` is removed. Neither argument is changed.
 */
export const mergePatchOf = (before: object, after: object): Record<string, unknown> | undefined => {
  const old = before as Json;
  const wanted = after as Json;
  const patch: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(old), ...Object.keys(wanted)])) {
    const from = old[name];
    const to = wanted[name];
    if (to === undefined || to === null) {
      if (from !== undefined && from !== null) patch[name] = null;
    } else if (isJsonObject(from) && isJsonObject(to)) {
      const inner = mergePatchOf(from, to);
      if (inner !== undefined) patch[name] = inner;
    } else if (!sameJson(from, to)) {
      patch[name] = settable(to);
    }
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
};
