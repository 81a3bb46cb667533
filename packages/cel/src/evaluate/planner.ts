import { accepts, sizeOf } from "../functions/overload.ts";
import type { Overload } from "../functions/overload.ts";
import { index, optionalIndex } from "../functions/relations.ts";
import type {
  BindExpression,
  CallExpression,
  Expression,
  FoldExpression,
  Issue,
  ListExpression,
  MapExpression,
  SelectExpression,
} from "../syntax/ast.ts";
import type { CelType } from "../types/cel-type.ts";
import type { Note } from "../check/checker.ts";
import type { Value } from "../values/value.ts";
import { Failure, noSuchOverload } from "../values/failure.ts";
import { CelMap, Optional, plainKey, ValueList, ValueMap } from "../values/value.ts";
import { planFold } from "./fold.ts";
import type { Frame, Step } from "./frame.ts";
import { and, conditional, or } from "./logic.ts";

/** Costs that are part of the dialect: making a list and making a map. */
export const listCost = 10;
export const mapCost = 30;

export interface Plan {
  readonly step: Step;
  /** Slots needed, variables first. */
  readonly slots: number;
  readonly issues: readonly Issue[];
}

/** Returns whether the static type leaves no doubt that every value is accepted by the parameter. */
const isCertain = (param: CelType, arg: CelType): boolean => {
  if (param.kind === "dyn" || param.kind === "parameter") return true;
  if (arg.kind !== param.kind || arg.nullable === true) return false;
  return param.parameters.every(
    (inner, position) => arg.parameters[position] !== undefined && isCertain(inner, arg.parameters[position]),
  );
};

const field = (operand: Value, name: string): Value | undefined => {
  if (operand instanceof CelMap) return operand.get(name);
  throw noSuchOverload();
};

const select = (operand: Value, name: string): Value => {
  if (operand instanceof Optional) return optionalSelect(operand, name);
  const value = field(operand, name);
  if (value === undefined) throw new Failure(`no such key: ${name}`);
  return value;
};

const optionalSelect = (operand: Value, name: string): Optional => {
  const inner = operand instanceof Optional ? operand.value : operand;
  const value = inner === undefined ? undefined : field(inner, name);
  return value === undefined ? Optional.none : new Optional(value);
};

const has = (operand: Value, name: string): boolean => {
  const inner = operand instanceof Optional ? operand.value : operand;
  if (inner === undefined) return false;
  if (inner instanceof CelMap) return inner.has(name);
  throw noSuchOverload();
};

const optionalValue = (value: Value): Value | undefined => {
  if (value instanceof Optional) return value.value;
  throw noSuchOverload();
};

const requireKey = (key: Value): Value => {
  if (typeof key === "number" || plainKey(key) === undefined) throw new Failure("unsupported key type");
  return key;
};

/** Charges a call before it is made. */
const chargeCall = (frame: Frame, { cost, work }: Overload, values: readonly Value[], isPrepared: boolean): void => {
  const units = cost === undefined ? 1 : cost(values.map(sizeOf));
  frame.charge(units, work === undefined ? units : work(values, isPrepared));
};

/** Turns a checked expression into nested functions. */
export class Planner {
  readonly #notes: ReadonlyMap<Expression, Note>;
  readonly #variables: ReadonlyMap<string, number>;
  readonly #locals: { readonly name: string; readonly slot: number }[] = [];
  readonly #issues: Issue[] = [];
  #slots: number;

  /** `variables` are the names of the slots that the caller fills. */
  constructor(notes: ReadonlyMap<Expression, Note>, variables: readonly string[]) {
    this.#notes = notes;
    this.#variables = new Map(variables.map((name, slot) => [name, slot]));
    this.#slots = variables.length;
  }

  plan(expression: Expression): Plan {
    const step = this.#plan(expression);
    return { step, slots: this.#slots, issues: this.#issues };
  }

  #plan(expression: Expression): Step {
    switch (expression.kind) {
      case "literal": {
        const { value } = expression;
        return () => value;
      }
      case "identifier":
        return this.#reference(expression, expression.name);
      case "select":
        return this.#select(expression);
      case "call":
        return this.#call(expression);
      case "list":
        return this.#list(expression);
      case "map":
        return this.#map(expression);
      case "fold":
        return this.#fold(expression);
      case "bind":
        return this.#bind(expression);
      case "message":
        return () => {
          throw noSuchOverload();
        };
    }
  }

  #reference(expression: Expression, name: string): Step {
    const reference = this.#notes.get(expression)?.reference;
    if (reference?.kind === "type") {
      const { value } = reference;
      return () => value;
    }
    const slot =
      reference?.kind === "local"
        ? this.#locals.findLast((local) => local.name === reference.name)?.slot
        : this.#variables.get(reference?.name ?? name);
    return (frame) => {
      frame.charge(1);
      const value = slot === undefined ? undefined : frame.slots[slot];
      if (value === undefined) throw new Failure(`no such attribute: ${name}`);
      return value;
    };
  }

  #select(expression: SelectExpression): Step {
    if (this.#notes.get(expression)?.reference !== undefined) return this.#reference(expression, expression.field);
    const operand = this.#plan(expression.operand);
    const name = expression.field;
    if (expression.test) return (frame) => has(operand(frame), name);
    const read = expression.optional ? optionalSelect : select;
    return (frame) => {
      const container = operand(frame);
      frame.charge(1);
      return read(container, name);
    };
  }

  #call(expression: CallExpression): Step {
    const note = this.#notes.get(expression);
    const nodes =
      expression.target === undefined || note?.qualified === true
        ? expression.args
        : [expression.target, ...expression.args];
    const args = nodes.map((node) => this.#plan(node));
    switch (expression.name) {
      case "_&&_":
        return and(args);
      case "_||_":
        return or(args);
      case "_?_:_":
        return conditional(args);
      case "_[_]":
        return this.#index(args, (container, key) =>
          container instanceof Optional ? optionalIndex(container, key) : index(container, key),
        );
      case "_[?_]":
        return this.#index(args, optionalIndex);
    }
    const overloads = note?.overloads ?? [];
    if (args.length === 2 && (expression.name === "or" || expression.name === "orValue")) {
      return orElse(args as [Step, Step], expression.name === "or");
    }
    const only = overloads.length === 1 ? overloads[0]! : undefined;
    if (only !== undefined && only.params.every((param, position) => isCertain(param, note!.args![position]!))) {
      return this.#invoke(only, args, nodes);
    }
    return this.#dispatch(overloads, args, nodes);
  }

  #index(args: readonly Step[], read: (container: Value, key: Value) => Value): Step {
    const [container, key] = args as [Step, Step];
    return (frame) => {
      const values: readonly [Value, Value] = [container(frame), key(frame)];
      frame.charge(1);
      return read(...values);
    };
  }

  /** Returns the call of an overload, prepared for literal arguments. */
  #prepared(overload: Overload, nodes: readonly Expression[]): Overload["call"] {
    if (overload.prepare === undefined) return overload.call;
    const literals = nodes.map((node) => (node.kind === "literal" ? node.value : undefined));
    try {
      return overload.prepare(literals) ?? overload.call;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.#issues.push({ message: error.message, at: nodes.at(-1)?.at ?? 0 });
      return overload.call;
    }
  }

  /** A call whose overload is known. */
  #invoke(overload: Overload, args: readonly Step[], nodes: readonly Expression[]): Step {
    const call = this.#prepared(overload, nodes);
    const isPrepared = call !== overload.call;
    const [first, second] = args;
    if (overload.cost !== undefined || overload.work !== undefined || args.length > 2 || first === undefined) {
      return (frame) => {
        const values = args.map((arg) => arg(frame));
        chargeCall(frame, overload, values, isPrepared);
        return call(...values);
      };
    }
    if (second === undefined) {
      return (frame) => {
        const value = first(frame);
        frame.charge(1);
        return call(value);
      };
    }
    return (frame) => {
      const left = first(frame);
      const right = second(frame);
      frame.charge(1);
      return call(left, right);
    };
  }

  /** A call whose overload depends on the values. */
  #dispatch(overloads: readonly Overload[], args: readonly Step[], nodes: readonly Expression[]): Step {
    const candidates = overloads.map((overload) => ({ overload, call: this.#prepared(overload, nodes) }));
    return (frame) => {
      const values = args.map((arg) => arg(frame));
      const found = candidates.find(({ overload }) =>
        overload.params.every((param, position) => accepts(param, values[position]!)),
      );
      if (found === undefined) throw noSuchOverload();
      chargeCall(frame, found.overload, values, found.call !== found.overload.call);
      return found.call(...values);
    };
  }

  #list(expression: ListExpression): Step {
    const elements = expression.elements.map(({ value, optional }) => ({ step: this.#plan(value), optional }));
    return (frame) => {
      frame.charge(listCost);
      const values: Value[] = [];
      for (const { step, optional } of elements) {
        const value = optional ? optionalValue(step(frame)) : step(frame);
        if (value !== undefined) values.push(value);
      }
      return new ValueList(values);
    };
  }

  #map(expression: MapExpression): Step {
    const entries = expression.entries.map(({ key, value, optional }) => ({
      key: this.#plan(key),
      value: this.#plan(value),
      optional,
    }));
    return (frame) => {
      frame.charge(mapCost);
      const pairs: [Value, Value][] = [];
      const seen = new Set<unknown>();
      for (const entry of entries) {
        const key = requireKey(entry.key(frame));
        const value = entry.optional ? optionalValue(entry.value(frame)) : entry.value(frame);
        if (seen.has(plainKey(key))) throw new Failure("Failed with repeated key");
        seen.add(plainKey(key));
        if (value !== undefined) pairs.push([key, value]);
      }
      return new ValueMap(pairs);
    };
  }

  /** Plans `body` with more local variables; gives their slots. */
  #scoped<T>(names: readonly string[], body: (slots: readonly number[]) => T): T {
    const slots = names.map(() => this.#slots++);
    this.#locals.push(...names.map((name, position) => ({ name, slot: slots[position]! })));
    const result = body(slots);
    this.#locals.length -= names.length;
    return result;
  }

  #fold(expression: FoldExpression): Step {
    const range = this.#plan(expression.range);
    return this.#scoped(expression.variables, (slots) => {
      const predicate = expression.predicate && this.#plan(expression.predicate);
      const transform = expression.transform && this.#plan(expression.transform);
      return planFold(expression.operation, { range, slots, predicate, transform });
    });
  }

  #bind(expression: BindExpression): Step {
    const value = this.#plan(expression.value);
    return this.#scoped([expression.name], ([slot]) => {
      const body = this.#plan(expression.body);
      if (expression.over === undefined) {
        return (frame) => {
          frame.slots[slot!] = value(frame);
          return body(frame);
        };
      }
      const wrap = expression.over === "optMap";
      return (frame) => {
        const inner = optionalValue(value(frame));
        if (inner === undefined) return Optional.none;
        frame.slots[slot!] = inner;
        const result = body(frame);
        return wrap ? new Optional(result) : result;
      };
    });
  }
}

/** `or` and `orValue` evaluate their argument only if the receiver is none. */
const orElse =
  ([receiver, other]: readonly [Step, Step], keepOptional: boolean): Step =>
  (frame) => {
    const option = receiver(frame);
    frame.charge(1);
    const inner = optionalValue(option);
    if (inner === undefined) return other(frame);
    return keepOptional ? option : inner;
  };
