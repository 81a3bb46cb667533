import * as fc from "fast-check";
import { expect, it } from "vitest";
import { watchLines } from "./watch-lines.ts";

async function* inChunks(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const size of [...sizes, bytes.length]) {
    if (start < bytes.length) yield bytes.subarray(start, start + size);
    start += size;
  }
}

it("gives the same lines however the bytes are cut, and drops an unfinished one", async () => {
  const lines = fc.array(
    fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\n", "")),
    { maxLength: 6 },
  );
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(lines, sizes, fc.string({ maxLength: 5 }), async (wanted, cuts, rest) => {
      const text = wanted.map((line) => `${line}\n`).join("") + rest.replaceAll("\n", "");
      const found: string[] = [];
      for await (const cut of watchLines(inChunks(Buffer.from(text), cuts))) found.push(...cut.map(String));
      expect(found).toEqual(wanted.filter((line) => line !== ""));
    }),
    { numRuns: 500, seed: 4 },
  );
});
