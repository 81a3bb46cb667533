import { sameJson } from "@capstan/schema";
import { jsonText } from "@capstan/schema/structural";
import { turnsUntil } from "@capstan/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sameInTurns } from "./same-in-turns.ts";
import { textInTurns } from "./text-in-turns.ts";

const value = fc.jsonValue({ maxDepth: 5 });

describe("text in turns", () => {
  it("is written as at once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 50, maxLength: 300 }), async (given) => {
        const whole = {
          given,
          none: undefined,
          map: Object.fromEntries(given.map((item, index) => [`k${index}`, item])),
        };
        expect(await textInTurns(whole, 10)).toBe(jsonText(whole));
      }),
      { seed: 3, numRuns: 100 },
    );
  });
});

describe("equality in turns", () => {
  it("is the one that it is at once, however small the portions", async () => {
    const pair = fc.tuple(value, value, fc.boolean());
    await fc.assert(
      fc.asyncProperty(pair, fc.integer({ min: 1, max: 5 }), async ([left, other, isSame], portion) => {
        const right = isSame ? (JSON.parse(JSON.stringify(left)) as unknown) : other;
        expect(await sameInTurns(left, right, portion)).toBe(sameJson(left, right));
        const within = (each: unknown) => ({ a: [{ b: each, c: 1 }], d: undefined });
        expect(await sameInTurns(within(left), within(right), portion)).toBe(sameJson(within(left), within(right)));
      }),
      { seed: 4, numRuns: 500 },
    );
  });

  it("asks nothing of the order, and counts what is undefined as absent", async () => {
    const of = (names: readonly string[], more: object) => ({
      data: { ...Object.fromEntries(names.map((name) => [name, name])), ...more },
    });
    const names = Array.from({ length: 40 }, (_, index) => `k${index}`);
    expect(await sameInTurns(of(names, {}), of(names.toReversed(), { gone: undefined }), 3)).toBe(true);
    expect(await sameInTurns(of(names, {}), of(names, { more: null }), 3)).toBe(false);
    expect(await sameInTurns(of(names, { more: 1 }), of(names, { other: 1 }), 3)).toBe(false);
  });

  it("serves others while a wide object is compared, and while one is written", async () => {
    const wide = () => ({ data: Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`k${i}`, "v"])) });
    expect(await turnsUntil(sameInTurns(wide(), wide()))).toBeGreaterThan(5);
    expect(await turnsUntil(textInTurns(wide()))).toBeGreaterThan(4);
    expect(await textInTurns(wide())).toBe(jsonText(wide()));
    const hostile = JSON.parse(
      `{"a":{"__proto__":1,${Array.from({ length: 6_000 }, (_, i) => `"k${i}":1`).join()}}}`,
    ) as object;
    expect(await textInTurns(hostile)).toBe(jsonText(hostile));
  });
});
