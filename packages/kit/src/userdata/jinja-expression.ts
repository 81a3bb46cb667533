import { own } from "@capstan/schema";
import type { JinjaArgument, JinjaChoice, JinjaExpression, JinjaOperation, JinjaStep } from "./jinja-nodes.ts";
import type { JinjaToken } from "./jinja-tokens.ts";

/** Tokens, and how far they are read. */
export interface JinjaCursor {
  readonly tokens: readonly JinjaToken[];
  at: number;
}

/** Reads one part of the grammar; `undefined` where it is not there. */
type Read<Part = JinjaExpression> = (cursor: JinjaCursor) => Part | undefined;

/** Filters built into Jinja; a document with any other is not rendered. */
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

/** Returns whether one of the words comes next, which is then read. */
export const take = (cursor: JinjaCursor, ...texts: readonly string[]): boolean => {
  const found = isAt(cursor, ...texts);
  if (found) cursor.at += 1;
  return found;
};

const takeKind = (cursor: JinjaCursor, ...kinds: readonly JinjaToken["kind"][]): string | undefined => {
  const token = current(cursor);
  if (token === undefined || !kinds.includes(token.kind)) return undefined;
  cursor.at += 1;
  return token.text;
};

export const takeName: Read<string> = (cursor) => takeKind(cursor, "name");
export const isAtEnd = ({ at, tokens }: JinjaCursor): boolean => at === tokens.length;

/** One of the words, which is then read. */
const taken = (cursor: JinjaCursor, ...texts: readonly string[]): string | undefined => {
  const text = current(cursor)?.text;
  return take(cursor, ...texts) ? text : undefined;
};

const chain =
  (operand: Read, operator: Read<string>): Read =>
  (cursor) => {
    const first = operand(cursor);
    if (first === undefined) return undefined;
    const rest: JinjaOperation[] = [];
    for (;;) {
      const found = operator(cursor);
      if (found === undefined) return rest.length === 0 ? first : { kind: "chain", first, rest };
      const next = operand(cursor);
      if (next === undefined) return undefined;
      rest.push({ operator: found, operand: next });
    }
  };

const anyOf =
  (...operators: readonly string[]): Read<string> =>
  (cursor) =>
    taken(cursor, ...operators);

/** Parts between commas up to a closing bracket, which is read as well; the last may have a comma. */
const listed =
  <Part>(part: Read<Part>, closer: string): Read<readonly Part[]> =>
  (cursor) => {
    const parts: Part[] = [];
    while (!take(cursor, closer)) {
      const found = part(cursor);
      if (found === undefined) return undefined;
      parts.push(found);
      if (!take(cursor, ",")) return take(cursor, closer) ? parts : undefined;
    }
    return parts;
  };

/** Once an argument by name was read, none without may follow. */
const argument = (seen: { named: boolean }): Read<JinjaArgument> => {
  return (cursor) => {
    const spread = taken(cursor, "*", "**");
    const named =
      spread === undefined && current(cursor)?.kind === "name" && isAt({ ...cursor, at: cursor.at + 1 }, "=");
    const name = spread ?? (named ? takeName(cursor) : undefined);
    if (named) cursor.at += 1;
    else if (spread === undefined && seen.named) return undefined;
    if (spread === undefined) seen.named = named;
    const value = expression(cursor);
    return value === undefined ? undefined : { value, ...(name !== undefined && { name }) };
  };
};

const call: Read<readonly JinjaArgument[]> = (cursor) => listed(argument({ named: false }), ")")(cursor);

const subscript: Read<JinjaStep> = (cursor) => {
  const first = isAt(cursor, ":") ? undefined : expression(cursor);
  if (first === undefined && !isAt(cursor, ":")) return undefined;
  const bounds: (JinjaExpression | undefined)[] = [first];
  while (bounds.length < 3 && take(cursor, ":")) {
    const isMissing = isAt(cursor, ":", ",", "]");
    const bound = isMissing ? undefined : expression(cursor);
    if (!isMissing && bound === undefined) return undefined;
    bounds.push(bound);
  }
  return bounds.length === 1 && first !== undefined ? { kind: "item", key: first } : { kind: "slice", bounds };
};

const pair: Read<readonly [JinjaExpression, JinjaExpression]> = (cursor) => {
  const key = expression(cursor);
  const value = key !== undefined && take(cursor, ":") ? expression(cursor) : undefined;
  return key === undefined || value === undefined ? undefined : [key, value];
};

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\n": "" };

/** Returns the value of a quoted string. */
const unquoted = (quoted: string): string =>
  quoted
    .slice(1, -1)
    .replace(
      /\\(?:x([\da-f]{2})|u([\da-f]{4})|([^]))/gi,
      (whole, byte: string | undefined, unit: string | undefined, letter: string | undefined) => {
        const code = byte ?? unit;
        if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
        return own(escapes, letter ?? "") ?? ("\\'\"".includes(letter ?? "") ? (letter ?? "") : whole);
      },
    );

const text: Read = (cursor) => {
  const parts: string[] = [];
  for (let part = takeKind(cursor, "string"); part !== undefined; part = takeKind(cursor, "string")) parts.push(part);
  return parts.length === 0 ? undefined : { kind: "text", text: parts.map(unquoted).join("") };
};

const inParentheses: Read = (cursor) => {
  const items = listed<JinjaExpression>((inner) => expression(inner), ")")(cursor);
  const [only] = items ?? [];
  const isTuple = items?.length !== 1 || cursor.tokens[cursor.at - 2]?.text === ",";
  return items === undefined || isTuple ? items && { kind: "list", items } : only;
};

const primary: Read = (cursor) => {
  if (take(cursor, "(")) return inParentheses(cursor);
  if (take(cursor, "[")) {
    const items = listed<JinjaExpression>((inner) => expression(inner), "]")(cursor);
    return items && { kind: "list", items };
  }
  if (take(cursor, "{")) {
    const pairs = listed(pair, "}")(cursor);
    return pairs && { kind: "map", pairs };
  }
  const kind = current(cursor)?.kind;
  if (kind !== "name" && kind !== "number") return text(cursor);
  return { kind, text: takeKind(cursor, kind) ?? "" };
};

/** Subscripts between commas are one, of several parts. */
const subscripts: Read<JinjaStep> = (cursor) => {
  const found = listed(subscript, "]")(cursor);
  const [only] = found ?? [];
  if (found?.length === 1) return only;
  const keys = found?.map((each): JinjaExpression => (each.kind === "item" ? each.key : { kind: "list", items: [] }));
  return keys && { kind: "item", key: { kind: "list", items: keys } };
};

const withSteps = (of: JinjaExpression, steps: readonly JinjaStep[]): JinjaExpression =>
  steps.length === 0 ? of : { kind: "steps", of, steps };

const postfix = (of: JinjaExpression, cursor: JinjaCursor): JinjaExpression | undefined => {
  const steps: JinjaStep[] = [];
  for (;;) {
    let step: JinjaStep | undefined;
    if (take(cursor, ".")) {
      const name = takeKind(cursor, "name", "number");
      step = name === undefined ? undefined : { kind: "member", name };
    } else if (take(cursor, "[")) step = subscripts(cursor);
    else if (take(cursor, "(")) {
      const given = call(cursor);
      step = given && { kind: "call", arguments: given };
    } else return withSteps(of, steps);
    if (step === undefined) return undefined;
    steps.push(step);
  }
};

const known = (cursor: JinjaCursor, names: ReadonlySet<string>): string | undefined => {
  const name = takeName(cursor);
  return name !== undefined && names.has(name) && !isAt(cursor, ".") ? name : undefined;
};

const filter: Read<JinjaStep> = (cursor) => {
  const name = known(cursor, filters);
  const given = take(cursor, "(") ? call(cursor) : [];
  return name === undefined || given === undefined ? undefined : { kind: "filter", name, arguments: given };
};

/** An argument without brackets, as in `is divisibleby 3`. */
const looseArgument: Read<readonly JinjaArgument[]> = (cursor) => {
  const next = current(cursor);
  if (next === undefined || isAt(cursor, "else", "or", "and")) return [];
  if (next.kind === "operator" && !isAt(cursor, "[", "{")) return [];
  const of = isAt(cursor, "is") ? undefined : primary(cursor);
  const value = of && postfix(of, cursor);
  return value && [{ value }];
};

const test: Read<JinjaStep> = (cursor) => {
  const negated = take(cursor, "not");
  const name = known(cursor, tests);
  if (name === undefined) return undefined;
  const given = take(cursor, "(") ? call(cursor) : looseArgument(cursor);
  return given && { kind: "test", name, negated, arguments: given };
};

const unary: Read = (cursor) => {
  const signs: string[] = [];
  for (let sign = taken(cursor, "-", "+"); sign !== undefined; sign = taken(cursor, "-", "+")) signs.push(sign);
  const first = primary(cursor);
  const inner = first && postfix(first, cursor);
  if (inner === undefined) return undefined;
  const steps: JinjaStep[] = [];
  for (;;) {
    let step: JinjaStep | undefined;
    if (take(cursor, "|")) step = filter(cursor);
    else if (take(cursor, "is")) step = test(cursor);
    else if (take(cursor, "(")) {
      const given = call(cursor);
      step = given && { kind: "call", arguments: given };
    } else return withSteps(signs.length === 0 ? inner : { kind: "signs", signs, of: inner }, steps);
    if (step === undefined) return undefined;
    steps.push(step);
  }
};

const product = chain(chain(unary, anyOf("**")), anyOf("*", "/", "//", "%"));
const sum = chain(chain(product, anyOf("~")), anyOf("+", "-"));

const comparison = chain(sum, (cursor) => {
  const negated = isAt(cursor, "not") && isAt({ ...cursor, at: cursor.at + 1 }, "in");
  if (negated) cursor.at += 2;
  return negated ? "not in" : taken(cursor, "==", "!=", "<", ">", "<=", ">=", "in");
});

const negation: Read = (cursor) => {
  const signs: string[] = [];
  while (take(cursor, "not")) signs.push("not");
  const of = comparison(cursor);
  return of === undefined || signs.length === 0 ? of : { kind: "signs", signs, of };
};

/** An expression without `if`. */
const condition = chain(chain(negation, anyOf("and")), anyOf("or"));

const chosen = (choices: readonly JinjaChoice[], otherwise?: JinjaExpression): JinjaExpression =>
  choices.length === 0 && otherwise !== undefined
    ? otherwise
    : { kind: "choice", choices, ...(otherwise !== undefined && { otherwise }) };

/** One expression. */
export const expression: Read = (cursor) => {
  const choices: JinjaChoice[] = [];
  for (;;) {
    let value = condition(cursor);
    if (value === undefined) return undefined;
    let goesOn = false;
    let isChoice = false;
    while (!goesOn && take(cursor, "if")) {
      const when = condition(cursor);
      if (when === undefined) return undefined;
      // `a if b if c` is `(a if b) if c`.
      if (isChoice) value = { kind: "choice", choices: [choices.pop() as JinjaChoice] };
      choices.push({ value, condition: when });
      isChoice = true;
      goesOn = take(cursor, "else");
    }
    if (!goesOn) return isChoice ? chosen(choices) : chosen(choices, value);
  }
};

const several =
  (part: Read, ...ends: readonly string[]): Read =>
  (cursor) => {
    const items: JinjaExpression[] = [];
    let comma = false;
    do {
      const item = isAtEnd(cursor) || isAt(cursor, ...ends) ? undefined : part(cursor);
      if (item === undefined) return undefined;
      items.push(item);
      comma = take(cursor, ",");
    } while (comma && !isAtEnd(cursor) && !isAt(cursor, ...ends));
    const [only] = items;
    return items.length === 1 && !comma ? only : { kind: "list", items };
  };

/** One or several expressions between commas. */
export const expressions = several(expression, "=");
/** The same without `if`. */
export const conditions = several(condition, "if", "recursive");

const target: Read<readonly string[]> = (cursor) => {
  if (take(cursor, "(")) return listed(takeName, ")")(cursor);
  const name = takeName(cursor);
  if (name === undefined || !take(cursor, ".")) return name === undefined ? undefined : [name];
  const member = takeName(cursor);
  return member === undefined ? undefined : [`${name}.${member}`];
};

/** Names that get values, with commas between. */
export const targets: Read<readonly string[]> = (cursor) => {
  const names: string[] = [];
  do {
    const found = isAtEnd(cursor) || isAt(cursor, "in", "=", "|") ? undefined : target(cursor);
    if (found === undefined) return undefined;
    names.push(...found);
  } while (take(cursor, ",") && !isAtEnd(cursor) && !isAt(cursor, "in", "=", "|"));
  return names;
};

/** Filters behind one another. */
export const filterChain: Read<readonly JinjaStep[]> = (cursor) => {
  const found: JinjaStep[] = [];
  do {
    const next = filter(cursor);
    if (next === undefined) return undefined;
    found.push(next);
  } while (take(cursor, "|"));
  return found;
};

/** Parses a call with its arguments. */
export const calls: Read = (cursor) => unary(cursor);

/** The arguments of a macro, behind the opening bracket. */
export const parameters: Read<readonly string[]> = listed((cursor) => {
  const name = takeName(cursor);
  return name !== undefined && (!take(cursor, "=") || expression(cursor) !== undefined) ? name : undefined;
}, ")");
