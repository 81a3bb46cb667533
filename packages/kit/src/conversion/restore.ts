import { isJsonObject, sameJson } from "@capstan/schema";
import { canonicalJson } from "@capstan/schema/structural";

/** The first place of each item; what was saved is a user's, so that not every item is compared with every other. */
const placesOf = (items: readonly unknown[]): ReadonlyMap<string, number> => {
  const places = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const text = canonicalJson(item);
    if (!places.has(text)) places.set(text, index);
  }
  return places;
};

const restoredList = (base: readonly unknown[], live: readonly unknown[], saved: readonly unknown[]): unknown => {
  if (base.length !== saved.length) return live;
  let places: ReadonlyMap<string, number> | undefined;
  const placeOf = (item: unknown): number | undefined => (places ??= placesOf(base)).get(canonicalJson(item));
  return live.map((item, index) => {
    const inPlace = index < base.length && sameJson(base[index], item);
    const origin = inPlace ? index : placeOf(item);
    if (origin !== undefined) return saved[origin];
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
