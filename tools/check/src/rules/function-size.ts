import { parseSync, Visitor } from "oxc-parser";
import type { Finding, Rule, SourceFile } from "../repository.ts";

const lessThan = 60;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Functions that fit on a screen. Tests are free: a case may be long. */
export const functionSizeRule: Rule = ({ packages }) =>
  packages
    .flatMap(({ files }) => files)
    .filter(({ test, text }) => !test && text.split("\n").length >= lessThan)
    .flatMap(longFunctions);

const longFunctions = ({ path, text }: SourceFile): readonly Finding[] => {
  const lineAt = (offset: number): number => text.slice(0, offset).split("\n").length;
  return functionsOf(path, text).flatMap(({ start, end }) => {
    const [first, lines] = [lineAt(start), text.slice(start, end).split("\n").length];
    const message = `a function of ${lines} lines, which must be under ${lessThan}: split it by what it does`;
    return lines < lessThan ? [] : [{ rule: "function-size", where: `${path}:${first}`, message }];
  });
};

const functionsOf = (path: string, text: string): readonly Span[] => {
  const found: Span[] = [];
  const add = (node: Span): void => void found.push(node);
  new Visitor({ FunctionDeclaration: add, FunctionExpression: add, ArrowFunctionExpression: add }).visit(
    parseSync(path, text).program,
  );
  return found;
};
