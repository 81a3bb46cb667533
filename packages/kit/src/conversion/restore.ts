import { isJsonObject, sameJson } from "@capstan/schema";

const restoredList = (base: readonly unknown[], live: readonly unknown[], saved: readonly unknown[]): unknown => {
  if (base.length !== saved.length) return live;
  return live.map((item, index) => {
    const inPlace = index < base.length && sameJson(base[index], item);
    const origin = inPlace ? index : base.findIndex((other) => sameJson(other, item));
    if (origin >= 0) return saved[origin];
    return base.length === live.length ? restored(base[index], item, saved[index]) : item;
  });
};

/**
 * The newer object, with what the older version could not hold: `saved` was converted down and is `base` when it is converted
 * up again; `live` is what came back. Where live equals base, nothing changed and saved is right.
 */
export const restored = (base: unknown, live: unknown, saved: unknown): unknown => {
  if (sameJson(base, live)) return saved;
  if (Array.isArray(base) && Array.isArray(live) && Array.isArray(saved)) return restoredList(base, live, saved);
  if (!isJsonObject(live) || !isJsonObject(saved)) return live;
  const known = isJsonObject(base) ? base : {};
  const names = new Set([...Object.keys(live), ...Object.keys(saved)]);
  const members = [...names].map((name) => [name, restored(known[name], live[name], saved[name])] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
};
