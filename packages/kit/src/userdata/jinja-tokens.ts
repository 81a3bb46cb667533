/** A word, number, text or operator inside of Jinja's braces. */
export interface JinjaToken {
  readonly kind: "name" | "number" | "string" | "operator";
  readonly text: string;
}

/** Contents of a pair of Jinja braces. */
export interface JinjaTag {
  readonly tokens: readonly JinjaToken[];
  /** The place behind the closing braces. */
  readonly end: number;
}

/** Blanks, or one token: a number, a name, a text, an operator. */
const next =
  /\s+|((?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?[eE][-+]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)|0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0[xX](?:_?[\da-fA-F])+|[1-9](?:_?\d)*|0(?:_?0)*)|([\p{L}_][\p{L}\p{N}\p{M}_]*)|('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(\/\/|\*\*|[=!<>]=|[-+/*%~[\](){}<>=.:|,;])/suy;
const kinds = ["number", "name", "string", "operator"] as const;

const closers: Readonly<Record<string, RegExp>> = { "{{": /-?\}\}/y, "{%": /[-+]?%\}/y };
const pairs: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

/** Brackets in brackets: no one writes more, and a text of nothing but opening braces is read in a moment. */
const deepest = 20;

/** Follows the brackets that are open; false for one that closes none of them. */
const isBalanced = (open: string[], operator: string): boolean => {
  const pair = pairs[operator];
  if (pair !== undefined) return open.push(pair) <= deepest;
  return !Object.values(pairs).includes(operator) || open.pop() === operator;
};

/** Reads the words of the tag whose braces `opening` begin at a place; `undefined` where Jinja cannot read them, or the tag does not end. */
export const readTag = (text: string, begin: number, opening: "{{" | "{%"): JinjaTag | undefined => {
  const closer = closers[opening] as RegExp;
  const tokens: JinjaToken[] = [];
  const open: string[] = [];
  let at = begin + 2;
  if (text[at] === "-" || (opening === "{%" && text[at] === "+")) at += 1;
  for (;;) {
    const closing = open.length === 0 ? matchAt(closer, text, at) : null;
    if (closing !== null) return { tokens, end: at + closing[0].length };
    const found = matchAt(next, text, at);
    if (found === null) return undefined;
    at += found[0].length;
    const kind = kinds.find((_, index) => found[index + 1] !== undefined);
    if (kind === undefined) continue;
    tokens.push({ kind, text: found[0] });
    if (kind === "operator" && !isBalanced(open, found[0])) return undefined;
  }
};
