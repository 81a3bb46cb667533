import { own } from "@capstan/schema";
import {
  calls,
  conditions,
  expression,
  expressions,
  filterChain,
  isAtEnd,
  parameters,
  take,
  takeName,
  targets,
  type JinjaCursor,
} from "./jinja-expression.ts";
import type { JinjaToken } from "./jinja-tokens.ts";

/** What a statement is for others: `opens` and `closes` name what it is the one or the other end of. */
export interface JinjaStatement {
  readonly opens?: string;
  readonly closes?: string;
  /** It stands only directly in one of these. */
  readonly within?: readonly string[];
  /** It is the last of those. */
  readonly last?: boolean;
}

type ReadStatement = (cursor: JinjaCursor) => JinjaStatement | undefined;

const when =
  (read: (cursor: JinjaCursor) => boolean, statement: JinjaStatement): ReadStatement =>
  (cursor) =>
    read(cursor) && isAtEnd(cursor) ? statement : undefined;

const loop = (cursor: JinjaCursor): boolean => {
  if (!targets(cursor) || !take(cursor, "in") || !conditions(cursor)) return false;
  if (take(cursor, "if") && !expression(cursor)) return false;
  take(cursor, "recursive");
  return true;
};

const assignment: ReadStatement = (cursor) => {
  if (!targets(cursor)) return undefined;
  if (take(cursor, "=")) return expressions(cursor) && isAtEnd(cursor) ? {} : undefined;
  if (take(cursor, "|") && !filterChain(cursor)) return undefined;
  return isAtEnd(cursor) ? { opens: "set" } : undefined;
};

const assigned = (cursor: JinjaCursor): boolean => takeName(cursor) && take(cursor, "=") && expression(cursor);

const withNames = (cursor: JinjaCursor): boolean => {
  if (isAtEnd(cursor)) return true;
  do if (!assigned(cursor)) return false;
  while (take(cursor, ","));
  return true;
};

const caller = (cursor: JinjaCursor): boolean =>
  (!take(cursor, "(") || parameters(cursor)) && !isAtEnd(cursor) && calls(cursor);

const nothing = (): boolean => true;
const ends = Object.fromEntries(
  ["if", "for", "set", "macro", "call", "filter", "with", "autoescape"].map((name) => [
    `end${name}`,
    when(nothing, { closes: name }),
  ]),
);

/** Statements that need other documents, as `include`, are none: there are no others. */
const statements: Readonly<Record<string, ReadStatement>> = {
  ...ends,
  if: when(conditions, { opens: "if" }),
  elif: when(conditions, { within: ["if"] }),
  else: when(nothing, { within: ["if", "for"], last: true }),
  for: when(loop, { opens: "for" }),
  set: assignment,
  macro: when((cursor) => takeName(cursor) && take(cursor, "(") && parameters(cursor), { opens: "macro" }),
  call: when(caller, { opens: "call" }),
  filter: when(filterChain, { opens: "filter" }),
  with: when(withNames, { opens: "with" }),
  autoescape: when(expression, { opens: "autoescape" }),
  print: when(expressions, {}),
  do: when(expressions, {}),
};

/** What the words between `{%` and `%}` are; `undefined` where Jinja cannot read them. */
export const readStatement = (tokens: readonly JinjaToken[]): JinjaStatement | undefined => {
  const [word] = tokens;
  if (word?.kind !== "name") return undefined;
  return own(statements, word.text)?.({ tokens, at: 1 });
};

/** Whether Jinja can read the words between `{{` and `}}`. */
export const isPrintable = (tokens: readonly JinjaToken[]): boolean => {
  const cursor = { tokens, at: 0 };
  return expressions(cursor) && isAtEnd(cursor);
};
