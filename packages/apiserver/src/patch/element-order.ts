import { isJsonObject, own, sameJson } from "@capstan/schema";
import { jsonText } from "@capstan/schema/structural";

type List = readonly unknown[];

/** What tells the elements of a merged list apart: the text of the merge key's value, or of the scalar itself. */
export const identityOf = (item: unknown, mergeKey: string | undefined): string =>
  jsonText(mergeKey !== undefined && isJsonObject(item) ? own(item, mergeKey) : item) ?? "";

/** The list without the scalars to delete. */
export const deleteFromList = (list: List, values: List): List =>
  list.filter((item) => !values.some((value) => sameJson(item, value)));

/**
 * Puts the elements named by `order` in that order and inserts the others before the first ordered element that followed
 * them in `live`, or at the end.
 */
export const reorderList = (list: List, order: List, live: List, mergeKey: string | undefined): List => {
  const identity = (item: unknown): string => identityOf(item, mergeKey);
  const rankIn = (items: List): ReadonlyMap<string, number> =>
    new Map(items.map((item, index) => [identity(item), index] as const).toReversed());
  const wanted = rankIn(order);
  const place = rankIn(live);
  const rank = (ranks: ReadonlyMap<string, number>, item: unknown): number => ranks.get(identity(item)) ?? Infinity;
  const ordered = list.filter((item) => wanted.has(identity(item))).sort((a, b) => rank(wanted, a) - rank(wanted, b));
  const others = list.filter((item) => !wanted.has(identity(item))).sort((a, b) => rank(place, a) - rank(place, b));
  const result: unknown[] = [];
  let next = 0;
  for (const item of ordered) {
    const limit = place.get(identity(item)) ?? -1;
    while (next < others.length && rank(place, others[next]) < limit) {
      result.push(others[next]);
      next += 1;
    }
    result.push(item);
  }
  return [...result, ...others.slice(next)];
};
