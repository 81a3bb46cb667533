import { expect, it } from "vitest";
import { playSchedule } from "./schedules.ts";

/** A sample of those that `npm run test:exhaustive -- schedules` plays. */
const sample = 40;

it("keeps the majority and comes to an end, whatever is changed and fails meanwhile", () => {
  for (let seed = 0; seed < sample; seed += 1) expect(() => playSchedule(seed)).not.toThrow();
});
