import { expect, it } from "vitest";
import { readSettings } from "./settings.ts";

const data = { bucket: "data", endpoint: "https://store.acme.example", access: "a", secret: "s" };

it("takes a Secret whose values have blanks around them", () => {
  expect(readSettings({ ...data, secret: " s\n" })).toEqual(data);
});

it.each([
  [{ bucket: "" }, 'no value under "bucket"'],
  [{ bucket: "Up" }, '"bucket" must be'],
  [{ endpoint: "store.acme.example" }, '"endpoint" must be'],
  [{ endpoint: "https://store.acme.example/data" }, '"endpoint" must be'],
  [{ secret: " " }, 'no value under "secret"'],
])("refuses %j", (change, words) => {
  expect(() => readSettings({ ...data, ...change })).toThrow(words);
});
