import { listCost, mapCost } from "../evaluate/planner.ts";
import { sizeOf } from "../functions/overload.ts";
import type { CallExpression, Expression, FoldExpression, SelectExpression } from "../syntax/ast.ts";
import type { CelType } from "../types/cel-type.ts";
import { dyn, elementOf, entryOf, int } from "../types/cel-type.ts";
import type { Note } from "../check/checker.ts";

/** Upper bound of a value's size. `type` gives the sizes of its members. */
interface Shape {
  readonly size: number;
  readonly type: CelType;
  /**
   * For values that the expression makes: 0 for such a value, 1 for its elements, 2 for theirs. Absent for variables and what lies
   * below them, whose sizes their types declare.
   */
  readonly depth?: number;
}

interface Estimate {
  readonly cost: number;
  readonly shape: Shape;
}

const unbounded = new Set(["string", "bytes", "list", "map", "dyn", "parameter"]);

/** Returns the shape of an expression's result. */
const shapeOf = (type: CelType): Shape => ({
  size: type.maxSize ?? (unbounded.has(type.kind) ? Infinity : 1),
  type,
  depth: 0,
});

/** A variable, or what lies below one: numbers, booleans and objects have no size. */
const declared = (type: CelType): Shape => ({
  size: type.maxSize ?? (unbounded.has(type.kind) ? Infinity : 0),
  type,
});

/** Infinity times zero is zero here: nothing is done no times. */
const times = (count: number, cost: number): number => (count === 0 || cost === 0 ? 0 : count * cost);

interface FoldCosts {
  /** Cost of the value that the loop begins with. */
  readonly start: number;
  /** Cost of one turn apart from predicate and transformation. */
  readonly step: number;
  readonly end: number;
}

const collecting: FoldCosts = { start: listCost, step: listCost + 2, end: 1 };
const mapping: FoldCosts = { start: mapCost, step: 3, end: 1 };

/** Costs of the steps of the loops that macros expand to. */
const foldCosts: Readonly<Record<FoldExpression["operation"], FoldCosts>> = {
  all: { start: 0, step: 3, end: 1 },
  exists: { start: 0, step: 4, end: 1 },
  existsOne: { start: 0, step: 2, end: 2 },
  map: collecting,
  filter: { ...collecting, step: listCost + 3 },
  transformList: collecting,
  transformMap: mapping,
  transformMapEntry: mapping,
};

const larger = (left: Shape, right: Shape): Shape => (left.size >= right.size ? left : right);

/** Walks an expression and adds up the most that every step can cost. */
class Estimator {
  readonly #notes: ReadonlyMap<Expression, Note>;
  readonly #variables: ReadonlyMap<string, CelType>;
  readonly #locals: { readonly name: string; readonly shape: Shape }[] = [];

  constructor(notes: ReadonlyMap<Expression, Note>, variables: ReadonlyMap<string, CelType>) {
    this.#notes = notes;
    this.#variables = variables;
  }

  estimate(expression: Expression): Estimate {
    switch (expression.kind) {
      case "literal":
        return { cost: 0, shape: { size: sizeOf(expression.value), type: this.#type(expression), depth: 0 } };
      case "identifier":
        return { cost: 1, shape: this.#reference(expression) };
      case "select":
        return this.#select(expression);
      case "call":
        return this.#call(expression);
      case "list":
        return this.#collection(
          expression,
          expression.elements.map(({ value }) => value),
          listCost,
        );
      case "map":
        return this.#collection(
          expression,
          expression.entries.flatMap(({ key, value }) => [key, value]),
          mapCost,
        );
      case "fold":
        return this.#fold(expression);
      case "bind": {
        const value = this.estimate(expression.value);
        const body = this.#scoped([expression.name], [value.shape], () => this.estimate(expression.body));
        return { cost: value.cost + body.cost, shape: body.shape };
      }
      case "message":
        return { cost: 0, shape: shapeOf(dyn) };
    }
  }

  #type(expression: Expression): CelType {
    return this.#notes.get(expression)?.type ?? dyn;
  }

  #reference(expression: Expression): Shape {
    const reference = this.#notes.get(expression)?.reference;
    if (reference?.kind === "local") return this.#locals.findLast(({ name }) => name === reference.name)!.shape;
    if (reference?.kind === "variable") return declared(this.#variables.get(reference.name) ?? dyn);
    return { size: this.#rootSize(), type: this.#type(expression) };
  }

  /** The estimator of Kubernetes takes the size of the root for what it cannot find below it. */
  #rootSize(): number {
    return this.#variables.get("self")?.maxSize ?? 0;
  }

  #select(expression: SelectExpression): Estimate {
    if (this.#notes.get(expression)?.reference !== undefined) return { cost: 1, shape: this.#reference(expression) };
    const operand = this.estimate(expression.operand);
    if (expression.test) return { cost: operand.cost, shape: shapeOf(this.#type(expression)) };
    const { type } = operand.shape;
    const container = type.kind === "optional" ? elementOf(type) : type;
    const member =
      container.fields?.get(expression.field)?.type ?? (container.kind === "map" ? entryOf(container) : dyn);
    return { cost: operand.cost + 1, shape: operand.shape.depth === undefined ? declared(member) : shapeOf(member) };
  }

  #collection(expression: Expression, members: readonly Expression[], base: number): Estimate {
    const estimates = members.map((member) => this.estimate(member));
    const cost = estimates.reduce((sum, estimate) => sum + estimate.cost, base);
    const size = expression.kind === "map" ? expression.entries.length : members.length;
    return { cost, shape: { size, type: this.#type(expression), depth: 0 } };
  }

  #call(expression: CallExpression): Estimate {
    const note = this.#notes.get(expression);
    const nodes =
      expression.target === undefined || note?.qualified === true
        ? expression.args
        : [expression.target, ...expression.args];
    const args = nodes.map((node) => this.estimate(node));
    const argCost = args.reduce((sum, arg) => sum + arg.cost, 0);
    const type = this.#type(expression);
    switch (expression.name) {
      case "_&&_":
      case "_||_":
        return { cost: argCost, shape: shapeOf(type) };
      case "_?_:_": {
        const [condition, yes, no] = args as [Estimate, Estimate, Estimate];
        return { cost: condition.cost + Math.max(yes.cost, no.cost), shape: larger(yes.shape, no.shape) };
      }
      case "_[_]":
      case "_[?_]":
        return { cost: argCost + 1, shape: this.#element(args[0]!.shape) };
      default:
        return this.#overloaded(expression, args, argCost);
    }
  }

  #overloaded(expression: CallExpression, args: readonly Estimate[], argCost: number): Estimate {
    const { overloads = [] } = this.#notes.get(expression) ?? {};
    const type = this.#type(expression);
    const sizes = args.map(({ shape }) => shape.size);
    const elements = args.map(({ shape }) => (shape.type.kind === "list" ? this.#element(shape).size : 0));
    const costs = overloads.map(({ estimate, cost: counted }) => (estimate ?? counted)?.(sizes, elements) ?? 1);
    const cost = Math.max(0, ...costs);
    const resultSizes = overloads.flatMap(({ resultSize }) => (resultSize === undefined ? [] : [resultSize(sizes)]));
    const shape = resultSizes.length === 0 ? shapeOf(type) : { size: Math.max(...resultSizes), type, depth: 0 };
    return { cost: argCost + cost, shape };
  }

  /** An element of a list, or a value of a map. */
  #element(shape: Shape): Shape {
    const container = shape.type.kind === "optional" ? elementOf(shape.type) : shape.type;
    return this.#below(shape, container.kind === "map" ? entryOf(container) : elementOf(container));
  }

  /** A part of a value; the keys of declared maps have no size either. */
  #below({ depth }: Shape, type: CelType): Shape {
    if (depth === undefined) return declared(type);
    return depth === 0 ? { size: this.#rootSize(), type, depth: 1 } : { ...shapeOf(type), depth: depth + 1 };
  }

  #keyOf(shape: Shape): Shape {
    if (shape.type.kind !== "map") return shapeOf(int);
    const type = shape.type.parameters[0] ?? dyn;
    return shape.depth === undefined ? { size: 0, type } : this.#below(shape, type);
  }

  #scoped<T>(names: readonly string[], shapes: readonly Shape[], body: () => T): T {
    this.#locals.push(...names.map((name, index) => ({ name, shape: shapes[index]! })));
    const result = body();
    this.#locals.length -= names.length;
    return result;
  }

  #fold(expression: FoldExpression): Estimate {
    const range = this.estimate(expression.range);
    const isMap = range.shape.type.kind === "map";
    const key = this.#keyOf(range.shape);
    const value = this.#element(range.shape);
    const shapes = expression.variables.length === 2 ? [key, value] : [isMap ? key : value];
    return this.#scoped(expression.variables, shapes, () => {
      const predicate = expression.predicate && this.estimate(expression.predicate);
      const transform = expression.transform && this.estimate(expression.transform);
      const { start, step, end } = foldCosts[expression.operation];
      const each = step + (predicate?.cost ?? 0) + (transform?.cost ?? 0);
      const cost = range.cost + start + times(range.shape.size, each) + end;
      const makes = start > 0;
      const shape = shapeOf(this.#type(expression));
      return { cost, shape: makes ? { ...shape, size: range.shape.size } : shape };
    });
  }
}

/** The most that evaluating a checked expression can cost; `Infinity` where a size has no bound. */
export const estimateCost = (
  expression: Expression,
  notes: ReadonlyMap<Expression, Note>,
  variables: ReadonlyMap<string, CelType>,
): number => new Estimator(notes, variables).estimate(expression).cost;
