import type { JinjaExpression } from "./jinja-nodes.ts";
import { readExpression, readStatement, type JinjaStatement } from "./jinja-statement.ts";
import { readTag } from "./jinja-tokens.ts";

/** A piece of a text as Jinja reads it. */
export type JinjaPart =
  /** It is printed as it stands; `raw` is between `{% raw %}` and its end. */
  | { readonly kind: "text" | "raw"; readonly text: string }
  /** The braces of what begins like Jinja, and Jinja cannot read. */
  | { readonly kind: "unreadable"; readonly text: string }
  /** Braces with what is between them. */
  | {
      readonly kind: "tag";
      readonly text: string;
      readonly statement?: JinjaStatement;
      readonly expression?: JinjaExpression;
    };

const opener = /\{[{%#]/g;
const rawBegin = /\{%[-+]?\s*raw\s*-?%\}/y;
const rawEnd = /\{%[-+]?\s*endraw\s*[-+]?%\}/g;

/** Actions of Go's templates and of Mustache, in which programs like kubectl take formats. Jinja would take some for its own. */
export const foreignAction =
  /^-?\s*(?:[.$`/#^!>&]|(?:if|with|range|template|define|block|else)\s+\S|(?:end|else|break|continue)\s*-?$|(?!not\s)\w+\s+[.$"'`])/;

/** The next place of a pattern; asked from the front to the end, it reads a text once. */
const nextMatch = (text: string, pattern: RegExp): ((from: number) => RegExpExecArray | undefined) => {
  const matches = text.matchAll(pattern);
  let match: RegExpExecArray | undefined;
  return (from) => {
    while (match === undefined || match.index < from) {
      const { done, value } = matches.next();
      if (done === true) return undefined;
      match = value;
    }
    return match;
  };
};

interface Found {
  readonly parts: readonly JinjaPart[];
  readonly end: number;
}

const tag = (
  text: string,
  begin: number,
  end: number,
  holds: { readonly statement?: JinjaStatement; readonly expression?: JinjaExpression } = {},
): Found => ({ parts: [{ kind: "tag", text: text.slice(begin, end), ...holds }], end });

/** Returns Jinja's readers for the braces at a position; each returns `undefined` where it cannot read them. */
const readers = (text: string): Readonly<Record<string, (begin: number) => Found | undefined>> => {
  const endOfRaw = nextMatch(text, rawEnd);
  const endOfComment = nextMatch(text, /[-+]?#\}/g);
  const endOf = { "{{": nextMatch(text, /\}\}/g), "{%": nextMatch(text, /%\}/g) };
  const read = (begin: number, opening: keyof typeof endOf) =>
    endOf[opening](begin) === undefined ? undefined : readTag(text, begin, opening);
  const untouched = (begin: number): Found | undefined => {
    rawBegin.lastIndex = begin;
    const [opening] = rawBegin.exec(text) ?? [];
    const end = opening === undefined ? undefined : endOfRaw(begin);
    if (opening === undefined || end === undefined) return undefined;
    const raw: JinjaPart = { kind: "raw", text: text.slice(begin + opening.length, end.index) };
    const parts: readonly JinjaPart[] = [{ kind: "tag", text: opening }, raw, { kind: "tag", text: end[0] }];
    return { parts, end: end.index + end[0].length };
  };
  return {
    "{{": (begin) => {
      const found = read(begin, "{{");
      const expression = found === undefined ? undefined : readExpression(found.tokens);
      if (found === undefined || expression === undefined) return undefined;
      const isForeign = foreignAction.test(text.slice(begin + 2, found.end - 2));
      return isForeign ? undefined : tag(text, begin, found.end, { expression });
    },
    "{%": (begin) => {
      const raw = untouched(begin);
      if (raw !== undefined) return raw;
      const found = read(begin, "{%");
      const statement = found === undefined ? undefined : readStatement(found.tokens);
      return found === undefined || statement === undefined ? undefined : tag(text, begin, found.end, { statement });
    },
    // `${#array[@]}` is the shell's.
    "{#": (begin) => {
      const end = text[begin - 1] === "$" ? undefined : endOfComment(begin + 2);
      return end === undefined ? undefined : tag(text, begin, end.index + end[0].length);
    },
  };
};

/** The pieces of a text; put together again they are the text. Statements are not yet held against one another. */
export const jinjaParts = (text: string): readonly JinjaPart[] => {
  const read = readers(text);
  const parts: JinjaPart[] = [];
  let at = 0;
  for (const { 0: opening, index } of text.matchAll(opener)) {
    if (index < at) continue;
    if (index > at) parts.push({ kind: "text", text: text.slice(at, index) });
    const found = read[opening]?.(index);
    at = found?.end ?? index + opening.length;
    parts.push(...(found?.parts ?? [{ kind: "unreadable", text: opening }]));
  }
  if (at < text.length) parts.push({ kind: "text", text: text.slice(at) });
  return parts;
};

interface Open {
  readonly name: string;
  readonly parts: JinjaPart[];
  ended: boolean;
}

/** The statements among the pieces of a document that lack their other end, or are the other end of nothing. */
export const unpaired = (parts: readonly JinjaPart[]): ReadonlySet<JinjaPart> => {
  const alone = new Set<JinjaPart>();
  const open: Open[] = [];
  const drop = (from: number): void => {
    for (const each of open.splice(from)) for (const part of each.parts) alone.add(part);
  };
  for (const part of parts) {
    if (part.kind !== "tag" || part.statement === undefined) continue;
    const { closes, opens, within } = part.statement;
    const top = open.at(-1);
    if (opens !== undefined) open.push({ name: opens, parts: [part], ended: false });
    else if (within !== undefined) {
      if (top === undefined || top.ended || !within.includes(top.name)) alone.add(part);
      else {
        top.parts.push(part);
        top.ended = part.statement.last === true;
      }
    } else if (closes !== undefined) {
      const begun = open.findLastIndex(({ name }) => name === closes);
      if (begun === -1) alone.add(part);
      else {
        drop(begun + 1);
        open.pop();
      }
    }
  }
  drop(0);
  return alone;
};
