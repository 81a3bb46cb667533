import { expect, it } from "vitest";
import { readLabelSelector } from "./label-selector.ts";

it("reads what the API takes, and says what it cannot read", () => {
  expect(readLabelSelector("app in (web)")).toEqual([{ key: "app", operator: "in", values: ["web"] }]);
  expect(() => readLabelSelector("app in web")).toThrow('invalid label selector "app in web"');
});
