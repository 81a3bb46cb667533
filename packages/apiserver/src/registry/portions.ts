import { setImmediate as nextTurn } from "node:timers/promises";

const portionSize = 1_000;

/** The list in portions, with a turn of the event loop between them: others are served meanwhile. */
export async function* portions<T>(list: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let start = 0; start < list.length; start += portionSize) {
    if (start > 0) {
      await nextTurn();
    }
    yield list.length <= portionSize ? list : list.slice(start, start + portionSize);
  }
}
