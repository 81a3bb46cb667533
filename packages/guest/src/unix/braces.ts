import type { Word } from "./syntax.ts";

/** Most words that one becomes. */
const mostBraces = 1000;

/** `{a,b}` and `{1..3}` of a word, each written out. */
export const braces = (word: Word): readonly Word[] => {
  let words: readonly Word[] = [word];
  for (;;) {
    const next = words.flatMap((each) => writtenOut(each));
    if (next.length === words.length || next.length > mostBraces) return words;
    words = next;
  }
};

const sequence = (from: string, to: string, step: string | undefined): readonly string[] => {
  const isNumber = /^-?\d+$/.test(from);
  const [first, last] = isNumber ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)];
  const by = Math.max(1, Math.abs(Number(step ?? 1)));
  const count = Math.min(Math.floor(Math.abs(last - first) / by) + 1, mostBraces);
  const width = [from, to].some((text) => /^-?0\d/.test(text)) ? Math.max(from.length, to.length) : 0;
  return Array.from({ length: count }, (_, index) => {
    const value = first + (last < first ? -by : by) * index;
    return isNumber ? String(value).padStart(width, "0") : String.fromCharCode(value);
  });
};

const pattern = /\{(?:([^{}]*,[^{}]*)|(-?\d{1,6})\.\.(-?\d{1,6})(?:\.\.(-?\d{1,4}))?|([a-zA-Z])\.\.([a-zA-Z]))\}/;

const writtenOut = (word: Word): readonly Word[] => {
  for (const [index, part] of word.entries()) {
    if (part.kind !== "text" || part.quoted) continue;
    const found = pattern.exec(part.text);
    if (found === null) continue;
    const [whole = "", list, from, to, step, letter, last] = found;
    const choices = list?.split(",") ?? sequence(from ?? letter ?? "", to ?? last ?? "", step);
    return choices.map((choice) => {
      const text = part.text.slice(0, found.index) + choice + part.text.slice(found.index + whole.length);
      return [...word.slice(0, index), { ...part, text }, ...word.slice(index + 1)];
    });
  }
  return spread(word) ?? [word];
};

/** `{"$a",b}`, whose parts are quoted or expanded. */
const spread = (word: Word): readonly Word[] | undefined => {
  const open = word.findIndex((part) => part.kind === "text" && !part.quoted && /\{[^{}]*$/.test(part.text));
  const close = word.findIndex(
    (part, at) => at > open && part.kind === "text" && !part.quoted && /^[^{}]*\}/.test(part.text),
  );
  if (open < 0 || close < 0) return undefined;
  const [begin, end] = [word[open], word[close]];
  if (begin?.kind !== "text" || end?.kind !== "text") return undefined;
  const [from, to] = [begin.text.lastIndexOf("{"), end.text.indexOf("}")];
  const inner: Word = [
    { ...begin, text: begin.text.slice(from + 1) },
    ...word.slice(open + 1, close),
    { ...end, text: end.text.slice(0, to) },
  ];
  const choices: Word[] = [[]];
  for (const part of inner) {
    const pieces = part.kind === "text" && !part.quoted ? part.text.split(",") : undefined;
    for (const [at, text] of (pieces ?? [""]).entries()) {
      if (at > 0) choices.push([]);
      choices.push([...(choices.pop() ?? []), pieces === undefined ? part : { kind: "text", text, quoted: false }]);
    }
  }
  if (choices.length < 2) return undefined;
  return choices.map((choice) => [
    ...word.slice(0, open),
    { ...begin, text: begin.text.slice(0, from) },
    ...choice,
    { ...end, text: end.text.slice(to + 1) },
    ...word.slice(close + 1),
  ]);
};
