import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SortedKeys } from "./sorted-keys.ts";

const operations = fc.array(fc.record({ add: fc.boolean(), key: fc.string({ maxLength: 3 }) }), { maxLength: 200 });

const built = (steps: readonly { readonly add: boolean; readonly key: string }[]) => {
  const keys = new SortedKeys();
  const model = new Set<string>();
  for (const { add, key } of steps) {
    if (add && !model.has(key)) {
      keys.add(key);
      model.add(key);
    } else if (!add && model.has(key)) {
      keys.remove(key);
      model.delete(key);
    }
  }
  return { keys, expected: [...model].sort((a, b) => (a < b ? -1 : 1)) };
};

describe("SortedKeys", () => {
  it("is a sorted set", () => {
    fc.assert(
      fc.property(operations, fc.string({ maxLength: 3 }), (steps, start) => {
        const { keys, expected } = built(steps);
        expect([...keys.from("")]).toEqual(expected);
        expect([...keys.from(start)]).toEqual(expected.filter((key) => key >= start));
      }),
      { seed: 19 },
    );
  });

  it("stays sorted over many chunks", () => {
    const names = Array.from({ length: 5_000 }, (_, index) => String((index * 7_919) % 5_000).padStart(4, "0"));
    const { keys, expected } = built(names.map((key) => ({ add: true, key })));
    expect([...keys.from("")]).toEqual(expected);
    expect([...keys.from("4990")]).toEqual(expected.slice(4_990));
    for (const key of expected.slice(10, 4_000)) {
      keys.remove(key);
    }
    expect([...keys.from("")]).toEqual([...expected.slice(0, 10), ...expected.slice(4_000)]);
  });
});
