import type { JinjaToken } from "./jinja-tokens.ts";

/** Tokens, and how far they are read. */
export interface JinjaCursor {
  readonly tokens: readonly JinjaToken[];
  at: number;
}

/** Reads one part of the grammar; false where it is not there. */
type Read = (cursor: JinjaCursor) => boolean;

/** What Jinja has of its own; a document with any other is not rendered. */
const filters = new Set(
  (
    "abs attr batch capitalize center count d default dictsort e escape filesizeformat first float forceescape format groupby " +
    "indent int items join last length list lower map max min pprint random reject rejectattr replace reverse round safe select " +
    "selectattr slice sort string striptags sum title tojson trim truncate unique upper urlencode urlize wordcount wordwrap xmlattr"
  ).split(" "),
);
const tests = new Set(
  (
    "boolean callable defined divisibleby eq equalto escaped even false filter float ge greaterthan gt in integer iterable le " +
    "lessthan lower lt mapping ne none number odd sameas sequence string test true undefined upper"
  ).split(" "),
);

const current = ({ at, tokens }: JinjaCursor): JinjaToken | undefined => tokens[at];

const isAt = (cursor: JinjaCursor, ...texts: readonly string[]): boolean => {
  const token = current(cursor);
  return token !== undefined && token.kind !== "string" && texts.includes(token.text);
};

/** Whether one of the words comes next, which is then read. */
export const take = (cursor: JinjaCursor, ...texts: readonly string[]): boolean => {
  const found = isAt(cursor, ...texts);
  if (found) cursor.at += 1;
  return found;
};

const takeKind = (cursor: JinjaCursor, kind: JinjaToken["kind"]): boolean => {
  const found = current(cursor)?.kind === kind;
  if (found) cursor.at += 1;
  return found;
};

export const takeName: Read = (cursor) => takeKind(cursor, "name");
export const isAtEnd = ({ at, tokens }: JinjaCursor): boolean => at === tokens.length;

const chain =
  (operand: Read, ...operators: readonly string[]): Read =>
  (cursor) => {
    do if (!operand(cursor)) return false;
    while (take(cursor, ...operators));
    return true;
  };

/** Parts between commas up to a closing bracket, which is read as well; the last may have a comma. */
const listed =
  (part: Read, closer: string): Read =>
  (cursor) => {
    while (!take(cursor, closer)) {
      if (!part(cursor)) return false;
      if (!take(cursor, ",")) return take(cursor, closer);
    }
    return true;
  };

/** `true` once an argument by name was read: none without may follow. */
const argument = (seen: { named: boolean }): Read => {
  return (cursor) => {
    if (take(cursor, "*", "**")) return expression(cursor);
    const named = current(cursor)?.kind === "name" && isAt({ ...cursor, at: cursor.at + 1 }, "=");
    if (named) cursor.at += 2;
    else if (seen.named) return false;
    seen.named = named;
    return expression(cursor);
  };
};

const call: Read = (cursor) => listed(argument({ named: false }), ")")(cursor);

const subscript: Read = (cursor) => {
  if (!isAt(cursor, ":") && !expression(cursor)) return false;
  for (let colons = 0; colons < 2 && take(cursor, ":"); colons += 1) {
    if (!isAt(cursor, ":", ",", "]") && !expression(cursor)) return false;
  }
  return true;
};

const pair: Read = (cursor) => expression(cursor) && take(cursor, ":") && expression(cursor);

const primary: Read = (cursor) => {
  if (take(cursor, "(")) return listed((inner) => expression(inner), ")")(cursor);
  if (take(cursor, "[")) return listed((inner) => expression(inner), "]")(cursor);
  if (take(cursor, "{")) return listed(pair, "}")(cursor);
  if (takeKind(cursor, "string")) {
    while (takeKind(cursor, "string"));
    return true;
  }
  return takeName(cursor) || takeKind(cursor, "number");
};

const postfix: Read = (cursor) => {
  for (;;) {
    if (take(cursor, ".")) {
      if (!takeName(cursor) && !takeKind(cursor, "number")) return false;
    } else if (take(cursor, "[")) {
      if (!listed(subscript, "]")(cursor)) return false;
    } else if (!take(cursor, "(")) return true;
    else if (!call(cursor)) return false;
  }
};

const known = (cursor: JinjaCursor, names: ReadonlySet<string>): boolean => {
  const name = current(cursor)?.text ?? "";
  return takeName(cursor) && names.has(name) && !isAt(cursor, ".");
};

const filter: Read = (cursor) => known(cursor, filters) && (!take(cursor, "(") || call(cursor));

const test: Read = (cursor) => {
  take(cursor, "not");
  if (!known(cursor, tests)) return false;
  if (take(cursor, "(")) return call(cursor);
  const next = current(cursor);
  if (next === undefined || isAt(cursor, "else", "or", "and")) return true;
  if (next.kind === "operator" && !isAt(cursor, "[", "{")) return true;
  return !isAt(cursor, "is") && primary(cursor) && postfix(cursor);
};

const unary: Read = (cursor) => {
  while (take(cursor, "-", "+"));
  if (!primary(cursor) || !postfix(cursor)) return false;
  for (;;) {
    if (take(cursor, "|")) {
      if (!filter(cursor)) return false;
    } else if (take(cursor, "is")) {
      if (!test(cursor)) return false;
    } else if (!take(cursor, "(")) return true;
    else if (!call(cursor)) return false;
  }
};

const sum = chain(chain(chain(chain(unary, "**"), "*", "/", "//", "%"), "~"), "+", "-");

const comparison: Read = (cursor) => {
  do {
    if (!sum(cursor)) return false;
    if (isAt(cursor, "not") && isAt({ ...cursor, at: cursor.at + 1 }, "in")) cursor.at += 1;
  } while (take(cursor, "==", "!=", "<", ">", "<=", ">=", "in"));
  return true;
};

const negation: Read = (cursor) => {
  while (take(cursor, "not"));
  return comparison(cursor);
};

/** An expression without `if`. */
const condition = chain(chain(negation, "and"), "or");

/** One expression. */
export const expression: Read = (cursor) => {
  for (;;) {
    if (!condition(cursor)) return false;
    let goesOn = false;
    while (!goesOn && take(cursor, "if")) {
      if (!condition(cursor)) return false;
      goesOn = take(cursor, "else");
    }
    if (!goesOn) return true;
  }
};

const several =
  (part: Read, ...ends: readonly string[]): Read =>
  (cursor) => {
    do if (isAtEnd(cursor) || isAt(cursor, ...ends) || !part(cursor)) return false;
    while (take(cursor, ",") && !isAtEnd(cursor) && !isAt(cursor, ...ends));
    return true;
  };

/** One or several expressions between commas. */
export const expressions = several(expression, "=");
/** The same without `if`. */
export const conditions = several(condition, "if", "recursive");
/** Names that get values, with commas between. */
export const targets: Read = (cursor) =>
  several(
    (inner) => {
      if (take(inner, "(")) return listed(takeName, ")")(inner);
      return takeName(inner) && (!take(inner, ".") || takeName(inner));
    },
    "in",
    "=",
    "|",
  )(cursor);
/** Filters behind one another. */
export const filterChain = chain(filter, "|");
/** What a call names, with its arguments. */
export const calls: Read = (cursor) => unary(cursor);
/** The arguments of a macro, behind the opening bracket. */
export const parameters: Read = listed((cursor) => takeName(cursor) && (!take(cursor, "=") || expression(cursor)), ")");
