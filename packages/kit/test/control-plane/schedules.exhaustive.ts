import { expect, it } from "vitest";
import { playSchedule } from "./schedules.ts";

const seeds = 1000;
const shares = 4;

it.each(Array.from({ length: shares }, (_, share) => share))(
  `keeps the majority and comes to an end, part %i of ${shares} of ${seeds} schedules`,
  (share) => {
    for (let seed = share; seed < seeds; seed += shares) expect(() => playSchedule(seed)).not.toThrow();
  },
);
