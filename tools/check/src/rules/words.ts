import type { FileTree } from "../file-tree.ts";
import { aboveLimit, type Ratchet } from "../ratchet.ts";
import type { Rule } from "../repository.ts";
import { textsIn } from "../texts.ts";

const glossary = "docs/glossary.md";

/** A word that we no longer write, in its forms, and what to write instead. */
interface Retired {
  readonly forms: readonly string[];
  readonly instead: string;
}

/** The rows of the glossary's table "Not written". */
const retiredIn = (tree: FileTree): readonly Retired[] => {
  const [, section = ""] = (tree.read(glossary) ?? "").split(/^## Not written$/m);
  const [table = ""] = section.split(/^## /m);
  return [...table.matchAll(/^\| *(.*?) *\| *(.*?) *\|$/gm)]
    .slice(2)
    .map(([, forms = "", instead = ""]) => ({ forms: forms.split(", "), instead }));
};

/** First words of docstrings that describe instead of saying when a function is called and what it returns. */
const openings = ["What", "Whether", "How", "Of"];

const opening = (word: string): string => `docstring ${word}`;

const occurrences = (texts: readonly string[], pattern: RegExp): number =>
  texts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0);

/** Matches any of the forms, also across a line end; `no longer` after one of them is fine. */
const patternOf = (forms: readonly string[]): RegExp =>
  new RegExp(String.raw`\b(?:${forms.join("|").replaceAll(" ", String.raw`[\s*/]+`)})\b(?!\s+longer)`, "gi");

/** Counts every retired word of the glossary, under its first form, and every docstring that opens with a question word. */
export const wordCounts = (tree: FileTree): Ratchet => {
  const texts = textsIn(tree).map(({ text }) => text);
  const words = retiredIn(tree).map(({ forms }) => [forms[0] ?? "", occurrences(texts, patternOf(forms))]);
  const docstrings = openings.map((word) => [
    opening(word),
    occurrences(texts, new RegExp(String.raw`/\*\*\s+(?:\*\s+)?${word}\b`, "g")),
  ]);
  return Object.fromEntries([...words, ...docstrings]) as Ratchet;
};

/** Words that the glossary retires, and docstrings that open with a question word, become fewer. */
export const wordsRule: Rule = ({ tree }) => {
  const instead = new Map(retiredIn(tree).map((word) => [word.forms[0], word.instead]));
  return aboveLimit("words", tree, wordCounts(tree), (name) =>
    instead.has(name)
      ? `write ${instead.get(name)} (see ${glossary}); your diff shows where it is new`
      : "say when it is called and what it returns; your diff shows where it is new",
  );
};
