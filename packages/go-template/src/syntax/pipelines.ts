import { float } from "../values/numbers.ts";
import type { TokenReader } from "./token-reader.ts";
import type { Token } from "./token.ts";
import type { Command, Operand, Pipeline } from "./tree.ts";

/** Nested parentheses are read so deep. */
const deepest = 200;

/** Reads the fields that follow an operand without a space. */
const pathAfter = (reader: TokenReader): readonly string[] => {
  const path: string[] = [];
  for (let token = reader.peek(); token?.type === "field" && !token.spaced; token = reader.peek()) {
    path.push(token.text.slice(1));
    reader.next();
  }
  return path;
};

const withPath = (text: string, path: readonly string[]): string => [text, ...path].join(".");

const wordOperand = (reader: TokenReader, { at, text }: Token): Operand => {
  if (text === "nil") return { kind: "nil", at, text };
  if (text === "true" || text === "false") return { kind: "literal", value: text === "true", at, text };
  if (!reader.hasFunction(text)) throw reader.error(at, `function ${JSON.stringify(text)} not defined`);
  return { kind: "function", name: text, at, text };
};

const simpleOperand = (reader: TokenReader, token: Token, depth: number): Operand | undefined => {
  const { at, text, type, value } = token;
  switch (type) {
    case "dot":
      return { kind: "dot", at, text };
    case "string":
    case "integer":
      return { kind: "literal", value, at, text };
    case "float":
      return { kind: "literal", value: float(value as number), at, text };
    case "identifier":
      return wordOperand(reader, token);
    case "field": {
      const path = [text.slice(1), ...pathAfter(reader)];
      return { kind: "field", path, at, text: withPath("", path) };
    }
    case "variable": {
      if (!reader.hasVariable(text)) throw reader.error(at, `undefined variable ${JSON.stringify(text)}`);
      const path = pathAfter(reader);
      return { kind: "variable", name: text, path, at, text: withPath(text, path) };
    }
    case "symbol": {
      if (text !== "(") return undefined;
      if (depth >= deepest) throw reader.error(at, "too many nested parentheses");
      const pipeline = readPipeline(reader, "parenthesized pipeline", ")", depth + 1);
      return { kind: "pipeline", pipeline, at, text: "(...)" };
    }
    default:
      return undefined;
  }
};

const readOperand = (reader: TokenReader, depth: number): Operand => {
  const token = reader.next();
  const operand = token === undefined ? undefined : simpleOperand(reader, token, depth);
  if (operand === undefined) throw reader.unexpected(token, "operand");
  const path = pathAfter(reader);
  if (path.length === 0) return operand;
  if (operand.kind === "dot" || operand.kind === "nil" || operand.kind === "literal") {
    throw reader.error(operand.at, `unexpected . after term ${JSON.stringify(operand.text)}`);
  }
  return { kind: "chain", of: operand, path, at: operand.at, text: withPath(operand.text, path) };
};

const endsCommand = (token: Token | undefined): boolean =>
  token === undefined || token.type === "right" || (token.type === "symbol" && token.text !== "(");

const readCommand = (reader: TokenReader, depth: number): Command => {
  const first = readOperand(reader, depth);
  const operands: [Operand, ...Operand[]] = [first];
  while (!endsCommand(reader.peek())) {
    if (reader.peek()?.spaced !== true) throw reader.unexpected(reader.peek(), "operand");
    operands.push(readOperand(reader, depth));
  }
  return { at: first.at, operands };
};

/** `$x :=`, `$x =`, and in a range `$i, $x :=`. */
const readVariables = (reader: TokenReader, inRange: boolean): Pick<Pipeline, "variables" | "assigns"> => {
  const none = { variables: [], assigns: false };
  const first = reader.peek();
  if (first?.type !== "variable") return none;
  const pair = reader.isNext(",", 1);
  if (pair && !inRange) throw reader.error(first.at, "too many declarations");
  const sign = reader.peek(pair ? 3 : 1);
  if (sign?.type !== "symbol" || (sign.text !== ":=" && sign.text !== "=")) return none;
  const names = pair ? [first.text, reader.peek(2)?.text ?? ""] : [first.text];
  if (pair && reader.peek(2)?.type !== "variable") throw reader.unexpected(reader.peek(2), "range");
  for (let count = 0; count < (pair ? 4 : 2); count += 1) reader.next();
  const assigns = sign.text === "=";
  const unknown = assigns ? names.find((name) => !reader.hasVariable(name)) : undefined;
  if (unknown !== undefined) throw reader.error(first.at, `undefined variable ${JSON.stringify(unknown)}`);
  return { variables: names, assigns };
};

/** Reads a pipeline and the token that ends it. What it declares is known from here on. */
export const readPipeline = (reader: TokenReader, where: string, end = "}}", depth = 0): Pipeline => {
  const at = reader.peek()?.at ?? { line: 1, column: 1 };
  const { assigns, variables } = readVariables(reader, where === "range");
  const commands: Command[] = [];
  do {
    if (reader.isNext(end)) throw reader.error(at, `missing value for ${where}`);
    const command = readCommand(reader, depth);
    const [{ kind }] = command.operands;
    if (commands.length > 0 && (kind === "dot" || kind === "nil" || kind === "literal")) {
      throw reader.error(command.at, `non executable command in pipeline stage ${commands.length + 1}`);
    }
    commands.push(command);
  } while (reader.isNext("|") && reader.next() !== undefined);
  reader.take(end, where);
  if (!assigns) reader.declare(variables);
  return { at, variables, assigns, commands };
};
