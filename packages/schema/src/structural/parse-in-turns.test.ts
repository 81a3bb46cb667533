import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonText, parseJson } from "./json-text.ts";
import { parseInTurns } from "./parse-in-turns.ts";

const value = fc.jsonValue({ maxDepth: 5 });

/** Returns the parsed value, or that the text is none. */
const outcome = async (parse: () => unknown): Promise<unknown> => {
  try {
    return { value: await parse() };
  } catch (error) {
    if (error instanceof SyntaxError) return "no JSON";
    throw error;
  }
};

describe("JSON in turns", () => {
  it("is the value that it is at once, however small the portions", async () => {
    const options = fc.record({ portion: fc.integer({ min: 1, max: 40 }), space: fc.constantFrom("", "  ") });
    await fc.assert(
      fc.asyncProperty(value, options, async (given, { portion, space }) => {
        const text = JSON.stringify(given, null, space);
        const read = await parseInTurns(text, portion);
        expect(jsonText(read)).toBe(jsonText(parseJson(text)));
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it("is refused where it is refused at once", async () => {
    const characters = fc.constantFrom("{", "}", "[", "]", ",", ":", '"', "1", "-", " ", "null", '"a":');
    const options = fc.record({ portion: fc.integer({ min: 1, max: 12 }), at: fc.nat(), cut: fc.nat(2), characters });
    await fc.assert(
      fc.asyncProperty(value, options, async (given, { portion, at, cut, characters: more }) => {
        const whole = JSON.stringify([given, { a: given }, given]);
        const place = at % whole.length;
        const text = whole.slice(0, place) + more + whole.slice(place + cut);
        expect(await outcome(() => parseInTurns(text, portion))).toEqual(await outcome(() => parseJson(text)));
      }),
      { seed: 2, numRuns: 5_000 },
    );
  });

  it.each([
    '{"a":[1,2,3,4,5],}',
    '{"a":-[1,2,3,4,5]}',
    '{"a":[1,2,3,4,5]"b":1}',
    '[{"a":1,"b":2} {"a":1}]',
    '["a":[1,2,3,4,5]]',
    "{[1,2,3,4,5]}",
    "[1,2,3,4,5]]",
    "[1,2,3,4,5] x",
    "[1,2,3,4,5",
    "[1,2,3,4,}",
  ])("is not %s", async (text) => {
    expect(await outcome(() => parseInTurns(text, 2))).toBe("no JSON");
  });

  it("keeps long integers, and names as they are", async () => {
    const text = `{"n":[9007199254740993,1],"__proto__":{"a":[1,2,3]},"":[[1],[2]],"a":[1],"a":{"b":[1,2,3]}}`;
    const read = (await parseInTurns(text, 4)) as Record<string, unknown>;
    expect(read["n"]).toEqual([9007199254740993n, 1]);
    expect(Object.keys(read)).toEqual(["n", "__proto__", "", "a"]);
    expect(jsonText(read)).toBe('{"n":[9007199254740993,1],"__proto__":{"a":[1,2,3]},"":[[1],[2]],"a":{"b":[1,2,3]}}');
  });

  it("is not nested too deeply", async () => {
    await expect(parseInTurns("[".repeat(2_000), 1)).rejects.toThrow("nested more than 1000 levels deep");
  });

  it("serves others while a long text is parsed, whatever it holds", async () => {
    for (const part of ["[],", '{"a":0},', "0,", '"",']) {
      let turns = 0;
      let isOver = false;
      const count = (): void => {
        turns += 1;
        if (!isOver) setImmediate(count);
      };
      setImmediate(count);
      await parseInTurns(`[${part.repeat(2 ** 20 / part.length)}0]`);
      isOver = true;
      expect(turns, part).toBeGreaterThan(12);
    }
  });

  it("is parsed by whichever function", async () => {
    const text = '{"n":[9007199254740993,1]}';
    expect(await parseInTurns(text, 4, JSON.parse)).toEqual({ n: [9007199254740992, 1] });
  });
});
