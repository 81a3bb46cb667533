import fc from "fast-check";
import { expect, it } from "vitest";
import { fromBase64, toBase64 } from "./base64-text.ts";

it.each([
  ["", ""],
  ["cloud-config", "Y2xvdWQtY29uZmln"],
  ["für", "ZsO8cg=="],
])("%j is %s", (text, encoded) => {
  expect(toBase64(text)).toBe(encoded);
});

it("gives back every text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(fromBase64(toBase64(text))).toBe(text);
    }),
  );
});
