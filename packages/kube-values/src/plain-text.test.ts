import { expect, it } from "vitest";
import { plainLines, plainText } from "./plain-text.ts";

it.each([
  ["colours", "\u001B[31mred\u001B[0m", "red"],
  ["the clipboard", "a\u001B]52;c;aGk=\u0007b", "ab"],
  ["a title", "a\u001B]0;title\u001B\\b", "ab"],
  ["a cleared screen", "\u001B[2J\u001B[Hgone", "gone"],
  ["one byte for two", "a\u009B2Jb", "ab"],
  ["an escape alone", "a\u001Bb", "a"],
  ["a line over another", "ready\rnot", "ready not"],
  ["another line", "a\nb", "a b"],
  ["the other direction", "a\u202Eb", "a b"],
  ["letters of any language", "süß 日本 👍", "süß 日本 👍"],
])("shows no %s", (_, text, shown) => {
  expect(plainText(text)).toMatch(shown === "a" ? /^a/ : new RegExp(`^${shown}$`));
  expect(plainText(text)).not.toMatch(/[\p{Cc}\u202E]/u);
});

it("leaves lines as they are", () => {
  expect(plainLines("one\r\n\u001B[1mtwo\u001B[0m\n\nthree\n")).toBe("one\ntwo\n\nthree\n");
});
