import type { Expression, FoldOperation } from "./ast.ts";
import { SyntaxFailure } from "./ast.ts";

const variable = (argument: Expression | undefined): string => {
  if (argument?.kind !== "identifier" || argument.name.startsWith(".")) {
    throw new SyntaxFailure("argument must be a simple name", argument?.at ?? 0);
  }
  return argument.name;
};

const variables = (args: readonly Expression[], count: 1 | 2): readonly [string] | readonly [string, string] => {
  const first = variable(args[0]);
  if (count === 1) return [first];
  const second = variable(args[1]);
  if (first === second) throw new SyntaxFailure(`duplicate variable name: ${first}`, args[1]!.at);
  return [first, second];
};

/** Comprehension macros by name: how many variables and what the arguments after them are, by argument count. */
const folds: Readonly<
  Record<
    string,
    Readonly<
      Record<
        number,
        {
          readonly operation: FoldOperation;
          readonly count: 1 | 2;
          readonly rest: readonly ("predicate" | "transform")[];
        }
      >
    >
  >
> = {
  all: {
    2: { operation: "all", count: 1, rest: ["predicate"] },
    3: { operation: "all", count: 2, rest: ["predicate"] },
  },
  exists: {
    2: { operation: "exists", count: 1, rest: ["predicate"] },
    3: { operation: "exists", count: 2, rest: ["predicate"] },
  },
  exists_one: {
    2: { operation: "existsOne", count: 1, rest: ["predicate"] },
    3: { operation: "existsOne", count: 2, rest: ["predicate"] },
  },
  existsOne: {
    2: { operation: "existsOne", count: 1, rest: ["predicate"] },
    3: { operation: "existsOne", count: 2, rest: ["predicate"] },
  },
  map: {
    2: { operation: "map", count: 1, rest: ["transform"] },
    3: { operation: "map", count: 1, rest: ["predicate", "transform"] },
  },
  filter: { 2: { operation: "filter", count: 1, rest: ["predicate"] } },
  transformList: {
    3: { operation: "transformList", count: 2, rest: ["transform"] },
    4: { operation: "transformList", count: 2, rest: ["predicate", "transform"] },
  },
  transformMap: {
    3: { operation: "transformMap", count: 2, rest: ["transform"] },
    4: { operation: "transformMap", count: 2, rest: ["predicate", "transform"] },
  },
  transformMapEntry: {
    3: { operation: "transformMapEntry", count: 2, rest: ["transform"] },
    4: { operation: "transformMapEntry", count: 2, rest: ["predicate", "transform"] },
  },
};

const fold = (name: string, range: Expression, args: readonly Expression[], at: number): Expression | undefined => {
  const form = Object.hasOwn(folds, name) ? folds[name]?.[args.length] : undefined;
  if (form === undefined) return undefined;
  const rest = Object.fromEntries(form.rest.map((role, index) => [role, args[form.count + index]]));
  return { kind: "fold", operation: form.operation, range, variables: variables(args, form.count), ...rest, at };
};

const has = (args: readonly Expression[], at: number): Expression => {
  const argument = args[0];
  if (args.length !== 1 || argument?.kind !== "select") throw new SyntaxFailure("invalid argument to has() macro", at);
  return { ...argument, test: true };
};

/** `list.sortBy(x, key)`: the keys are computed by `map` and given to a hidden function with the list. */
const sortBy = (target: Expression, args: readonly Expression[], at: number): Expression => {
  const name = "@list";
  const bound: Expression = { kind: "identifier", name, at };
  const keys: Expression = {
    kind: "fold",
    operation: "map",
    range: bound,
    variables: [variable(args[0])],
    transform: args[1]!,
    at,
  };
  const body: Expression = { kind: "call", name: "@sortByAssociatedKeys", target: bound, args: [keys], at };
  return { kind: "bind", name, value: target, body, at };
};

const isName = (expression: Expression | undefined, name: string): boolean =>
  expression?.kind === "identifier" && expression.name === name;

/** The expansion of a macro call, or undefined if the call is not a macro. Throws `SyntaxFailure` for a malformed one. */
export const expandMacro = (
  name: string,
  target: Expression | undefined,
  args: readonly Expression[],
  at: number,
): Expression | undefined => {
  if (target === undefined) return name === "has" ? has(args, at) : undefined;
  if (name === "bind" && args.length === 3 && isName(target, "cel")) {
    return { kind: "bind", name: variable(args[0]), value: args[1]!, body: args[2]!, at };
  }
  if (args.length === 2 && (name === "optMap" || name === "optFlatMap")) {
    return { kind: "bind", name: variable(args[0]), value: target, body: args[1]!, over: name, at };
  }
  if (name === "sortBy" && args.length === 2) return sortBy(target, args, at);
  return fold(name, target, args, at);
};
