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
import type { JinjaAction, JinjaAssignment, JinjaExpression } from "./jinja-nodes.ts";
import type { JinjaToken } from "./jinja-tokens.ts";

/** A statement in relation to others: `opens` and `closes` name the block that it starts or ends. */
export interface JinjaStatement {
  readonly opens?: string;
  readonly closes?: string;
  /** It stands only directly in one of these. */
  readonly within?: readonly string[];
  /** It is the last of those. */
  readonly last?: boolean;
  readonly action: JinjaAction;
}

type ReadAction = (cursor: JinjaCursor) => JinjaAction | undefined;
type ReadStatement = (cursor: JinjaCursor) => JinjaStatement | undefined;

const when =
  (read: ReadAction, statement: Omit<JinjaStatement, "action">): ReadStatement =>
  (cursor) => {
    const action = read(cursor);
    return action !== undefined && isAtEnd(cursor) ? { ...statement, action } : undefined;
  };

/** A statement of which only its form is looked at. */
const form =
  (read: (cursor: JinjaCursor) => unknown): ReadAction =>
  (cursor) => {
    const found = read(cursor);
    return found === undefined || found === false ? undefined : { kind: "other" };
  };

const conditional =
  (kind: "if" | "elif"): ReadAction =>
  (cursor) => {
    const condition = conditions(cursor);
    return condition && { kind, condition };
  };

const loop: ReadAction = (cursor) => {
  const names = targets(cursor);
  const of = names !== undefined && take(cursor, "in") ? conditions(cursor) : undefined;
  if (names === undefined || of === undefined) return undefined;
  const isFiltered = take(cursor, "if");
  const condition = isFiltered ? expression(cursor) : undefined;
  if (isFiltered && condition === undefined) return undefined;
  if (take(cursor, "recursive")) return { kind: "other" };
  return { kind: "for", names, of, ...(condition !== undefined && { condition }) };
};

const assignment: ReadStatement = (cursor) => {
  const names = targets(cursor);
  if (names === undefined) return undefined;
  if (take(cursor, "=")) {
    const value = expressions(cursor);
    return value !== undefined && isAtEnd(cursor) ? { action: { kind: "set", names, value, filters: [] } } : undefined;
  }
  const filters = take(cursor, "|") ? filterChain(cursor) : [];
  return filters !== undefined && isAtEnd(cursor)
    ? { opens: "set", action: { kind: "set", names, filters } }
    : undefined;
};

const assigned = (cursor: JinjaCursor): JinjaAssignment | undefined => {
  const name = takeName(cursor);
  const value = name !== undefined && take(cursor, "=") ? expression(cursor) : undefined;
  return name === undefined || value === undefined ? undefined : { name, value };
};

const withNames: ReadAction = (cursor) => {
  const assignments: JinjaAssignment[] = [];
  if (isAtEnd(cursor)) return { kind: "with", assignments };
  do {
    const found = assigned(cursor);
    if (found === undefined) return undefined;
    assignments.push(found);
  } while (take(cursor, ","));
  return { kind: "with", assignments };
};

const filtered: ReadAction = (cursor) => {
  const filters = filterChain(cursor);
  return filters && { kind: "filter", filters };
};

const printed: ReadAction = (cursor) => {
  const value = expressions(cursor);
  return value && { kind: "print", value };
};

const caller = (cursor: JinjaCursor): boolean =>
  (!take(cursor, "(") || parameters(cursor) !== undefined) && !isAtEnd(cursor) && calls(cursor) !== undefined;

const macro = (cursor: JinjaCursor): boolean =>
  takeName(cursor) !== undefined && take(cursor, "(") && parameters(cursor) !== undefined;

const ends = Object.fromEntries(
  ["if", "for", "set", "macro", "call", "filter", "with", "autoescape"].map((name) => [
    `end${name}`,
    when(() => ({ kind: "end" }), { closes: name }),
  ]),
);

/** Statements that need other documents, as `include`, are none: there are no others. */
const statements: Readonly<Record<string, ReadStatement>> = {
  ...ends,
  if: when(conditional("if"), { opens: "if" }),
  elif: when(conditional("elif"), { within: ["if"] }),
  else: when(() => ({ kind: "else" }), { within: ["if", "for"], last: true }),
  for: when(loop, { opens: "for" }),
  set: assignment,
  macro: when(form(macro), { opens: "macro" }),
  call: when(form(caller), { opens: "call" }),
  filter: when(filtered, { opens: "filter" }),
  with: when(withNames, { opens: "with" }),
  autoescape: when(form(expression), { opens: "autoescape" }),
  print: when(printed, {}),
  do: when(form(expressions), {}),
};

/** Parses the words between `{%` and `%}`; `undefined` where Jinja cannot read them. */
export const readStatement = (tokens: readonly JinjaToken[]): JinjaStatement | undefined => {
  const [word] = tokens;
  if (word?.kind !== "name") return undefined;
  return own(statements, word.text)?.({ tokens, at: 1 });
};

/** The expression between `{{` and `}}`; `undefined` where Jinja cannot read it. */
export const readExpression = (tokens: readonly JinjaToken[]): JinjaExpression | undefined => {
  const cursor = { tokens, at: 0 };
  const found = expressions(cursor);
  return isAtEnd(cursor) ? found : undefined;
};
