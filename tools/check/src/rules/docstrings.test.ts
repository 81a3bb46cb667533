import { expect, it } from "vitest";
import { findingsOf, packageFiles } from "../../test/make-repository.ts";
import { docstringsRule } from "./docstrings.ts";

const findingsIn = (path: string, text: string) =>
  findingsOf(docstringsRule, { ...packageFiles(path.split("/").slice(0, 2).join("/")), [path]: text });

it.each([
  ["What", "const one = 1;\n/** What is wrong. */\nconst two = 2;"],
  ["Whether", "const one = 1;\n/** Whether it is wrong. */\nconst two = 2;"],
  ["How", "interface A {\n  /**\n   * How many there are, over\n   * two lines.\n   */\n  a: number;\n}"],
  ["Of", "const one = 1;\n/** Of the object. */\nconst two = 2;"],
])('finds a docstring that begins with "%s"', (word, text) => {
  expect(findingsIn("packages/kube/src/a.ts", text)).toEqual([
    `packages/kube/src/a.ts:2: the docstring begins with "${word}": begin with a noun phrase for data, with a verb such as "Returns" for a function, with "True if" for a flag`,
  ]);
});

it.each([
  ["a noun", "packages/kube/src/a.ts", "/** Number of retries. What is left is dropped. */"],
  ["a longer word", "packages/kube/src/a.ts", "/** Office of the user. */"],
  ["a string", "packages/kube/src/a.ts", 'const text = "/** What is wrong. */";'],
  ["a file outside src", "packages/kube/test/a.ts", "/** What is wrong. */"],
])("accepts %s", (_, path, text) => {
  expect(findingsIn(path, text)).toEqual([]);
});
