import { expect, it } from "vitest";
import { defineCases, type SuiteTools } from "./suite-tools.ts";

const run = async (): Promise<void> => undefined;
const cases = Object.fromEntries(["a", "b", "c", "d", "e"].map((name) => [name, run]));

const defined = (tools: Pick<SuiteTools, "only" | "share">): readonly string[] => {
  const names: string[] = [];
  const define = (name: string): void => void names.push(name);
  defineCases({ it: Object.assign(define, { skip: define }), ...tools }, cases);
  return names;
};

it("deals every case to one of several files", () => {
  const shares = [1, 2, 3].map((index) => defined({ share: { index, count: 3 } }));
  expect(shares).toEqual([["a", "d"], ["b", "e"], ["c"]]);
});

it("deals those that are chosen", () => {
  expect(defined({ only: ["b", "c", "d"], share: { index: 1, count: 2 } })).toEqual(["b", "d"]);
});

it("defines all cases without shares", () => {
  expect(defined({})).toEqual(Object.keys(cases));
});
