import type { FileTree } from "../file-tree.ts";
import { aboveLimit, type Ratchet } from "../ratchet.ts";
import type { Rule } from "../repository.ts";
import { textsIn } from "../texts.ts";

const name = "long lines of Markdown";
const maxLength = 300;

/** Counts the lines of documents with more than 300 characters. */
export const longLineCounts = (tree: FileTree): Ratchet => {
  const lines = textsIn(tree)
    .filter(({ path }) => path.endsWith(".md"))
    .flatMap(({ text }) => text.split("\n"));
  return { [name]: lines.filter(({ length }) => length > maxLength).length };
};

/** Documents have no line of more than 300 characters. */
export const longLinesRule: Rule = ({ tree }) =>
  aboveLimit("long-lines", tree, longLineCounts(tree), () => `wrap prose at 120, split tables; at most ${maxLength}`);
