import { expect, it } from "vitest";
import { anyOf, nearWords } from "./near-words.ts";

const kinds = ["cluster", "machine", "machinedeployment", "machineset", "machinepool", "linodemachine"];

it.each<[string, readonly string[]]>([
  ["machnie", ["machine"]],
  ["clusters", ["cluster"]],
  ["custer", ["cluster"]],
  ["machineste", ["machineset"]],
  ["machinede", ["machinedeployment", "machine", "machineset"]],
  ["pod", []],
  ["", []],
  ["x".repeat(100_000), []],
])("%s is nearly %o", (word, near) => {
  expect(nearWords(word, kinds)).toEqual(near);
});

it("says the nearest first, each once, and three at most", () => {
  expect(nearWords("abcdef", ["abcxyf", "abcdex", "abcdef", "abcdex", "abcdxf", "abxdef"])).toEqual([
    "abcdef",
    "abcdex",
    "abcdxf",
  ]);
});

it.each([
  [["a"], "a"],
  [["a", "b"], "a or b"],
  [["a", "b", "c"], "a, b or c"],
])("%o are said as %s", (words, said) => {
  expect(anyOf(words)).toBe(said);
});
