import { setImmediate as nextTurn } from "node:timers/promises";
import { StoredObject } from "../storage/stored-object.ts";
import type { Turn } from "./fair-turns.ts";
import type { Served } from "./served.ts";

const mostItems = 1_000;
/** Maximum number of items in a portion whose objects are parsed. */
const mostParsed = 250;
/** Maximum number of characters in the texts of one portion. */
const mostCharacters = 2 ** 20;
/** A longer text is parsed before its turn. */
const longText = 2 ** 16;

/** Returns the length of the stored text; 0 for a converted object, whose text would have to be created. */
const charactersOf = (item: Served): number => (item instanceof StoredObject ? item.text.length : 0);

/** Parses what is long, for those who look at it in the same turn. */
const load = async (items: readonly Served[]): Promise<void> => {
  for (const item of items) {
    if (charactersOf(item) > longText) await (item as StoredObject).load();
  }
};

/**
 * The list in portions of one item at least, with turns between them: others are served meanwhile. `parsed`: the objects are looked at, not
 * only their texts. Default of `turn`: a turn of the event loop each time.
 */
export async function* portions<T extends Served>(
  list: readonly T[],
  { parsed, turn = { wait: nextTurn } }: { readonly parsed: boolean; readonly turn?: Pick<Turn, "wait"> | undefined },
): AsyncGenerator<readonly T[]> {
  let start = 0;
  let characters = 0;
  for (const [index, item] of list.entries()) {
    const more = charactersOf(item);
    characters += more;
    if (index > start && (index - start >= (parsed ? mostParsed : mostItems) || characters > mostCharacters)) {
      const portion = list.slice(start, index);
      if (parsed) await load(portion);
      yield portion;
      await turn.wait();
      start = index;
      characters = more;
    }
  }
  const last = start === 0 ? list : list.slice(start);
  if (parsed) await load(last);
  yield last;
}
