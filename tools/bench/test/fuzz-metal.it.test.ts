import { expect, it } from "vitest";
import { fuzzMetal } from "../src/fuzz-metal/fuzz-metal.ts";

it("finds no made-up input that a machine is told another's data for, in a sample", async () => {
  for (const [kind, { served, wrong }] of Object.entries(await fuzzMetal({ inputs: 1200, seed: 35 }))) {
    expect(wrong, kind).toEqual([]);
    // They get far enough to be answered.
    expect(served, kind).toBeGreaterThan(0);
  }
});
