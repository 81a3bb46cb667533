import type { Budget } from "../values/budget.ts";
import { readPipeline } from "./pipelines.ts";
import { tokensOf } from "./lexer.ts";
import { TokenReader } from "./token-reader.ts";
import type { Token } from "./token.ts";
import type { Statement, Templates } from "./tree.ts";

/** Nested blocks are read so deep. */
const deepest = 200;

interface Parsing {
  readonly reader: TokenReader;
  readonly templates: Map<string, readonly Statement[]>;
  readonly depth: number;
}

/** List of statements, and the word that ends it. */
interface Ended {
  readonly statements: readonly Statement[];
  /** The word behind `{{`, which has been read: `end`, `else`, or `undefined` at the end of the source. */
  readonly by: Token | undefined;
}

const nested = (parsing: Parsing, at: Token): Parsing => {
  if (parsing.depth >= deepest) throw parsing.reader.error(at.at, "too many nested blocks");
  return { ...parsing, depth: parsing.depth + 1 };
};

const closeEnd = ({ reader }: Parsing): void => void reader.take("}}", "end");

/** Everything behind the first list of an `if`, `with` or `range`. */
const otherwise = (
  parsing: Parsing,
  kind: "if" | "with" | "range",
  by: Token | undefined,
  begin: Token,
): readonly Statement[] => {
  const { reader } = parsing;
  if (by === undefined) throw reader.error(begin.at, `unexpected EOF: {{${kind}}} has no {{end}}`);
  if (by.text === "end") {
    closeEnd(parsing);
    return [];
  }
  // `{{else if}}` is an `if` inside of the `else`, and both end with one `{{end}}`.
  const word = reader.peek();
  if (kind !== "range" && word?.text === kind && word.type === "identifier") {
    reader.next();
    return [control(nested(parsing, word), kind, word)];
  }
  reader.take("}}", "else");
  const last = statementsOf(parsing);
  if (last.by?.text !== "end") throw reader.error(begin.at, `expected {{end}} of {{${kind}}}`);
  closeEnd(parsing);
  return last.statements;
};

const control = (parsing: Parsing, kind: "if" | "with" | "range", begin: Token): Statement =>
  parsing.reader.scoped(() => {
    const { reader } = parsing;
    const pipeline = readPipeline(reader, kind);
    if (kind === "range") reader.ranges += 1;
    const { by, statements } = statementsOf(parsing);
    if (kind === "range") reader.ranges -= 1;
    return { kind, at: begin.at, pipeline, body: statements, otherwise: otherwise(parsing, kind, by, begin) };
  });

const templateName = (reader: TokenReader, where: string): string => {
  const token = reader.next();
  if (token?.type !== "string") throw reader.unexpected(token, where);
  return String(token.value);
};

const body = (parsing: Parsing, begin: Token): readonly Statement[] =>
  parsing.reader.separate(() => {
    const { by, statements } = statementsOf(parsing);
    if (by?.text !== "end") throw parsing.reader.error(begin.at, `expected {{end}} of {{${begin.text}}}`);
    closeEnd(parsing);
    return statements;
  });

const isEmpty = (statements: readonly Statement[]): boolean =>
  statements.every((statement) => statement.kind === "text" && statement.text.trim() === "");

const define = (parsing: Parsing, name: string, statements: readonly Statement[], begin: Token): void => {
  const before = parsing.templates.get(name);
  if (before !== undefined && !isEmpty(before) && !isEmpty(statements)) {
    throw parsing.reader.error(begin.at, `template: multiple definition of template ${JSON.stringify(name)}`);
  }
  if (before === undefined || isEmpty(before)) parsing.templates.set(name, statements);
};

/** The statements of one word behind `{{`; `undefined` when it is no keyword. */
const keyword = (parsing: Parsing, word: Token): readonly Statement[] | undefined => {
  const { reader } = parsing;
  switch (word.text) {
    case "if":
    case "with":
    case "range":
      reader.next();
      return [control(nested(parsing, word), word.text, word)];
    case "template":
    case "block": {
      reader.next();
      const name = templateName(reader, `${word.text} clause`);
      const pipeline = reader.isNext("}}") && word.text === "template" ? undefined : readPipeline(reader, word.text);
      if (pipeline === undefined) reader.take("}}", "template clause");
      if (word.text === "block") define(parsing, name, body(nested(parsing, word), word), word);
      return [{ kind: "template", at: word.at, name, pipeline }];
    }
    case "define": {
      if (parsing.depth > 0) throw reader.unexpected(word, "a block; {{define}} stands outside of others");
      reader.next();
      const name = templateName(reader, "define clause");
      reader.take("}}", "define clause");
      define(parsing, name, body(nested(parsing, word), word), word);
      return [];
    }
    case "break":
    case "continue":
      reader.next();
      if (reader.ranges === 0) throw reader.error(word.at, `{{${word.text}}} outside {{range}}`);
      reader.take("}}", word.text);
      return [{ kind: word.text }];
    default:
      return undefined;
  }
};

const statementsOf = (parsing: Parsing): Ended => {
  const { reader } = parsing;
  const statements: Statement[] = [];
  for (let token = reader.next(); token !== undefined; token = reader.next()) {
    if (token.type === "text") {
      statements.push({ kind: "text", text: token.text });
      continue;
    }
    const word = reader.peek();
    if (word?.type === "identifier" && (word.text === "end" || word.text === "else")) {
      reader.next();
      return { statements, by: word };
    }
    const special = word?.type === "identifier" ? keyword(parsing, word) : undefined;
    if (special !== undefined) statements.push(...special);
    else statements.push({ kind: "output", at: word?.at ?? token.at, pipeline: readPipeline(reader, "command") });
  }
  return { statements, by: undefined };
};

/** Reads a template and those that it defines. Throws a `TemplateError` that says where it is wrong. */
export const parseTemplates = (
  name: string,
  source: string,
  functions: ReadonlySet<string>,
  budget: Budget,
): Templates => {
  const reader = new TokenReader(name, tokensOf(name, source, budget), functions);
  const templates = new Map<string, readonly Statement[]>();
  const { by, statements } = statementsOf({ reader, templates, depth: 0 });
  if (by !== undefined) throw reader.error(by.at, `unexpected {{${by.text}}}`);
  templates.set(name, statements);
  return templates;
};
