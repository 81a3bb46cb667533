import { describe, expect, it } from "vitest";
import { makeRepository, packageFiles } from "../../test/make-repository.ts";
import { lowered } from "../ratchet.ts";
import { wordCounts, wordsRule } from "./words.ts";

const glossary = [
  "# Glossary",
  "",
  "| word | meaning |",
  "| ---- | ------- |",
  "| retry | to send again |",
  "",
  "## Not written",
  "",
  "| not written | instead |",
  "| ----------- | ------- |",
  '| any more | "no longer" |',
  '| that is no | "is not a" |',
  '| mend, mends | "fix" |',
].join("\n");

const repositoryOf = (text: string, ratchet: Readonly<Record<string, number>> = {}) =>
  makeRepository(packageFiles("packages/kube"), {
    "docs/glossary.md": glossary,
    "packages/kube/src/a.ts": text,
    "tools/check/ratchet.json": JSON.stringify(ratchet),
  });

const findings = (text: string, ratchet?: Readonly<Record<string, number>>): readonly string[] =>
  wordsRule(repositoryOf(text, ratchet)).map(({ message }) => message);

describe("words", () => {
  it.each([
    ["a word of the other table", "// a retry\n"],
    ["a part of a longer word", "// amend, mended\n"],
    ["words with another end", "// a lock that is no longer held\n"],
    ["a docstring that opens with a verb", "/** Returns what is there. */\n"],
    ["a comment that opens with What", "// What is there.\n"],
  ])("accepts %s", (_, text) => {
    expect(findings(text)).toEqual([]);
  });

  it.each([
    ["a retired word", "// Mend it, it mends\n", "mend", 2, 'write "fix" (see docs/glossary.md)'],
    ["words across a line end", "/**\n * Not here any\n * more.\n */\n", "any more", 1, 'write "no longer"'],
    ["words of a phrase", "// a file that is no JSON\n", "that is no", 1, 'write "is not a"'],
    ["a docstring that opens with What", "/** What is there. */\n", "docstring What", 1, "say when it is called"],
    ["a long docstring that opens with Of", "/**\n * Of a thing.\n */\n", "docstring Of", 1, "say when it is called"],
  ])("finds %s", (_, text, name, count, advice) => {
    const [message, ...others] = findings(text);
    expect(others).toEqual([]);
    expect(message).toContain(`"${name}" occurs ${count} times, at most 0 allowed: ${advice}`);
    expect(findings(text, { [name]: count })).toEqual([]);
    expect(findings(text, { [name]: count - 1 })).toHaveLength(1);
  });

  it("lowers limits to what occurs and raises none", () => {
    const { tree } = repositoryOf("// mend any more, any more\n", { mend: 7, "any more": 1 });
    expect(JSON.parse(lowered(tree, wordCounts(tree)))).toMatchObject({ mend: 1, "any more": 1, "docstring What": 0 });
  });
});
