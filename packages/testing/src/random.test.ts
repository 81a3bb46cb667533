import { expect, it } from "vitest";
import { seededRandom } from "./random.ts";

const draw = (seed: number): number[] => {
  const random = seededRandom(seed);
  return Array.from({ length: 1000 }, () => random.next());
};

it("repeats itself for one seed, differs between seeds and stays in range", () => {
  const numbers = draw(7);
  expect(draw(7)).toEqual(numbers);
  expect(draw(8)).not.toEqual(numbers);
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...numbers)).toBeLessThan(1);
  expect(numbers.reduce((sum, value) => sum + value, 0) / 1000).toBeCloseTo(0.5, 1);
  expect(seededRandom(7).bytes(16)).toEqual(seededRandom(7).bytes(16));
  expect(new Set(seededRandom(7).bytes(64)).size).toBeGreaterThan(32);
});
