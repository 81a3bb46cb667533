import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, type Pair, parseAllDocuments, type YAMLSeq } from "yaml";
import { type PathStep, stepsOf } from "./field-path.ts";

type Node = unknown;

/** A step from a node: where it stands, and what is there. */
interface Found {
  readonly offset: number | undefined;
  readonly node: Node;
}

const offsetOf = (node: Node): number | undefined => (isNode(node) ? node.range?.[0] : undefined);

const valueOf = (node: Node): unknown => (isScalar(node) ? node.value : undefined);

const inMap = (pairs: readonly Pair[], name: string): Found | undefined => {
  const pair = pairs.find(({ key }) => String(valueOf(key)) === name);
  return pair && { offset: offsetOf(pair.key), node: pair.value };
};

const isItem = (item: Node, keys: Readonly<Record<string, string>>): boolean =>
  isMap(item) &&
  Object.entries(keys).every(([name, value]) => String(valueOf(inMap(item.items, name)?.node)) === value);

const inList = ({ items }: YAMLSeq, step: PathStep): Found | undefined => {
  const node = typeof step === "object" ? items.find((item) => isItem(item, step)) : items[Number(step)];
  return node === undefined ? undefined : { offset: offsetOf(node), node };
};

const next = (node: Node, step: PathStep): Found | undefined => {
  if (isMap(node) && typeof step !== "object") return inMap(node.items, String(step));
  return isSeq(node) ? inList(node, step) : undefined;
};

/**
 * The line of a field in one of the documents of a text, which begins at 1; `before`: the steps to the object in the document. Of what is not
 * there, as a field that is missing, the line of what it belongs to; `undefined` where that is the object itself.
 */
export const fieldLine = (
  text: string,
  {
    document,
    before,
    field,
  }: { readonly document: number; readonly before: readonly PathStep[]; readonly field: string },
): number | undefined => {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines });
  const read = Array.isArray(documents) ? documents[document] : undefined;
  if (read === undefined) return undefined;
  let node: Node = read.contents;
  let offset: number | undefined;
  for (const [index, step] of [...before, ...stepsOf(field)].entries()) {
    const found = next(isAlias(node) ? node.resolve(read) : node, step);
    if (found === undefined) break;
    ({ node } = found);
    if (index >= before.length) offset = found.offset ?? offset;
  }
  return offset === undefined ? undefined : lines.linePos(offset).line;
};
