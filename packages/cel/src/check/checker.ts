import type { Environment } from "../environment.ts";
import type { Overload } from "../functions/overload.ts";
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
import type { TypeValue } from "../values/value.ts";
import { Substitution } from "../types/assignable.ts";
import type { CelType } from "../types/cel-type.ts";
import {
  bool,
  dyn,
  elementOf,
  entryOf,
  formatType,
  int,
  list,
  map,
  optional,
  parameter,
  typeOf,
} from "../types/cel-type.ts";
import { typeOfLiteral } from "./literal-type.ts";

/** Findings of the checker about one node. */
export interface Note {
  readonly type: CelType;
  /** An identifier, or a selection that is a qualified name. */
  readonly reference?:
    | { readonly kind: "variable" | "local"; readonly name: string }
    | { readonly kind: "type"; readonly value: TypeValue };
  /** Calls: the overloads that may apply, and the static types of the arguments, receiver first. */
  readonly overloads?: readonly Overload[];
  readonly args?: readonly CelType[];
  /** Calls: the target is only the first part of the function's name. */
  readonly qualified?: boolean;
}

export interface Checked {
  readonly type: CelType;
  readonly notes: ReadonlyMap<Expression, Note>;
  readonly issues: readonly Issue[];
}

/** The dotted name a chain of selections spells, or undefined if it is anything else. */
const qualifiedName = (expression: Expression): string | undefined => {
  if (expression.kind === "identifier") return expression.name;
  if (expression.kind !== "select" || expression.test || expression.optional) return undefined;
  const prefix = qualifiedName(expression.operand);
  return prefix === undefined ? undefined : `${prefix}.${expression.field}`;
};

export class Checker {
  /** Lists whose elements may differ in type: what is formatted. */
  readonly #mixed = new Set<Expression>();
  readonly #environment: Environment;
  readonly #variables: ReadonlyMap<string, CelType>;
  readonly #locals: Map<string, CelType>[] = [];
  readonly #notes = new Map<Expression, Note>();
  readonly #issues: Issue[] = [];
  #substitution = new Substitution();
  #fresh = 0;

  constructor(environment: Environment, variables: ReadonlyMap<string, CelType>) {
    this.#environment = environment;
    this.#variables = variables;
  }

  check(expression: Expression): Checked {
    const open = this.#check(expression);
    const type = this.#substitution.settle(open);
    for (const [node, note] of this.#notes) {
      const args = note.args?.map((arg) => this.#substitution.settle(arg));
      this.#notes.set(node, { ...note, type: this.#substitution.settle(note.type), ...(args && { args }) });
    }
    return { type, notes: this.#notes, issues: this.#issues };
  }

  #fail(message: string, at: number): CelType {
    this.#issues.push({ message, at });
    return dyn;
  }

  #note(expression: Expression, note: Note): CelType {
    this.#notes.set(expression, note);
    return note.type;
  }

  #variable(): CelType {
    return parameter(`_${this.#fresh++}`);
  }

  #resolve(type: CelType): CelType {
    return this.#substitution.apply(type);
  }

  /** Reports `message` unless a value of `source` may stand for `target`. */
  #require(target: CelType, source: CelType, at: number): void {
    if (this.#substitution.assign(target, source)) return;
    const [wanted, found] = [target, source].map((type) => formatType(this.#substitution.settle(type)));
    this.#fail(`expected type '${wanted}' but found '${found}'`, at);
  }

  #check(expression: Expression): CelType {
    switch (expression.kind) {
      case "literal":
        return this.#note(expression, { type: typeOfLiteral(expression.value) });
      case "identifier":
        return this.#identifier(expression, expression.name);
      case "select":
        return this.#select(expression);
      case "call":
        return this.#call(expression);
      case "list":
        return this.#note(expression, { type: this.#list(expression) });
      case "map":
        return this.#note(expression, { type: this.#map(expression) });
      case "fold":
        return this.#note(expression, { type: this.#fold(expression) });
      case "bind":
        return this.#note(expression, { type: this.#bind(expression) });
      case "message":
        return this.#fail(`undeclared reference to '${expression.name}'`, expression.at);
    }
  }

  #local(name: string): CelType | undefined {
    for (let index = this.#locals.length - 1; index >= 0; index--) {
      const type = this.#locals[index]!.get(name);
      if (type !== undefined) return type;
    }
    return undefined;
  }

  /** The note of a name that is declared, or undefined. */
  #reference(name: string): Note | undefined {
    const local = this.#local(name);
    if (local !== undefined) return { type: local, reference: { kind: "local", name } };
    const global = name.startsWith(".") ? name.slice(1) : name;
    const variable = this.#variables.get(global);
    if (variable !== undefined) return { type: variable, reference: { kind: "variable", name: global } };
    const value = this.#environment.types.get(global);
    return value === undefined ? undefined : { type: typeOf(dyn), reference: { kind: "type", value } };
  }

  #identifier(expression: Expression, name: string): CelType {
    const note = this.#reference(name);
    return note === undefined
      ? this.#fail(`undeclared reference to '${name}' (in container '')`, expression.at)
      : this.#note(expression, note);
  }

  /** The first part of a qualified name is not a variable of a macro. */
  #isGlobal(name: string | undefined): name is string {
    return name !== undefined && this.#local(name.split(".")[0]!) === undefined;
  }

  #select(expression: SelectExpression): CelType {
    const name = qualifiedName(expression);
    if (this.#isGlobal(name)) {
      const note = this.#reference(name);
      if (note !== undefined) return this.#note(expression, note);
    }
    const operand = this.#resolve(this.#check(expression.operand));
    const inner = operand.kind === "optional" ? this.#resolve(elementOf(operand)) : operand;
    const field = this.#field(inner, expression);
    const wrapped = operand.kind === "optional" || expression.optional ? optional(field) : field;
    return this.#note(expression, { type: expression.test ? bool : wrapped });
  }

  #field(type: CelType, { field, at }: SelectExpression): CelType {
    if (type.kind === "dyn" || type.kind === "parameter") return dyn;
    if (type.kind === "map") return this.#resolve(entryOf(type));
    if (type.kind !== "object") return this.#fail(`type '${formatType(type)}' does not support field selection`, at);
    return type.fields?.get(field)?.type ?? this.#fail(`undefined field '${field}'`, at);
  }

  #call(expression: CallExpression): CelType {
    const { name, target, at } = expression;
    if (name === "_&&_" || name === "_||_") return this.#logical(expression);
    if (name === "_[?_]" || name === "_[_]") return this.#index(expression);
    const prefix = target && qualifiedName(target);
    const full = this.#isGlobal(prefix) ? `${prefix}.${name}`.replace(/^\./, "") : undefined;
    if (full !== undefined && this.#environment.functions.has(full)) {
      return this.#overloaded(expression, full, false, expression.args, true);
    }
    const args = target === undefined ? expression.args : [target, ...expression.args];
    if (name === "format") for (const arg of expression.args) this.#mixed.add(arg);
    const plain = name.replace(/^\./, "");
    if (!this.#environment.functions.has(plain)) {
      for (const arg of args) this.#check(arg);
      return this.#fail(`undeclared reference to '${name}' (in container '')`, at);
    }
    return this.#overloaded(expression, plain, target !== undefined, args, false);
  }

  #overloaded(
    expression: Expression,
    name: string,
    member: boolean,
    nodes: readonly Expression[],
    qualified: boolean,
  ): CelType {
    const args = nodes.map((arg) => this.#check(arg));
    const overloads = (this.#environment.functions.get(name) ?? []).filter(
      (overload) => overload.member === member && overload.params.length === args.length,
    );
    const { type, matching } = this.#match(overloads, args);
    if (matching.length === 0) {
      const shown = args.map((arg) => formatType(this.#substitution.settle(arg)));
      const signature = member ? `${shown[0]}.(${shown.slice(1).join(", ")})` : `(${shown.join(", ")})`;
      this.#fail(`found no matching overload for '${name}' applied to '${signature}'`, expression.at);
    }
    const kept = matching.length === 0 ? overloads : matching;
    return this.#note(expression, { type, overloads: kept, args, ...(qualified && { qualified }) });
  }

  /** The overloads that accept the arguments, and the type of the result: `dyn` where they disagree. */
  #match(overloads: readonly Overload[], args: readonly CelType[]): { type: CelType; matching: Overload[] } {
    const attempts = overloads.flatMap((overload) => {
      const substitution = this.#substitution.copy();
      const rename = this.#renamer();
      const fits = overload.params.every((param, index) => substitution.assign(rename(param), args[index] ?? dyn));
      return fits ? [{ overload, substitution, result: rename(overload.result) }] : [];
    });
    const [first] = attempts;
    if (first === undefined) return { type: dyn, matching: [] };
    if (attempts.length === 1) {
      this.#substitution = first.substitution;
      return { type: first.result, matching: [first.overload] };
    }
    const results = attempts.map(({ result, substitution }) => substitution.settle(result));
    const agree = results.every((result) => formatType(result) === formatType(results[0]!));
    return { type: agree ? results[0]! : dyn, matching: attempts.map(({ overload }) => overload) };
  }

  /** Gives the type variables of one signature names of their own. */
  #renamer(): (type: CelType) => CelType {
    const names = new Map<string, CelType>();
    const rename = (type: CelType): CelType => {
      if (type.kind === "parameter") {
        const known = names.get(type.name) ?? this.#variable();
        names.set(type.name, known);
        return known;
      }
      return type.parameters.length === 0 ? type : { ...type, parameters: type.parameters.map(rename) };
    };
    return rename;
  }

  #logical(expression: CallExpression): CelType {
    for (const arg of expression.args) this.#require(bool, this.#check(arg), arg.at);
    return this.#note(expression, { type: bool });
  }

  #index(expression: CallExpression): CelType {
    const [container, key] = expression.args as [Expression, Expression];
    const operand = this.#resolve(this.#check(container));
    const inner = operand.kind === "optional" ? this.#resolve(elementOf(operand)) : operand;
    const keyType = this.#check(key);
    const { type, matching } = this.#match(this.#environment.functions.get("_[_]") ?? [], [inner, keyType]);
    if (matching.length === 0) {
      const shown = [inner, keyType].map((arg) => formatType(this.#substitution.settle(arg))).join(", ");
      this.#fail(`found no matching overload for '_[_]' applied to '(${shown})'`, expression.at);
    }
    const wrapped = operand.kind === "optional" || expression.name === "_[?_]" ? optional(type) : type;
    return this.#note(expression, { type: wrapped });
  }

  /** The type of the element of an optional entry `?x`, which must be an optional itself. */
  #entry(value: Expression, isOptional: boolean): CelType {
    const type = this.#check(value);
    if (!isOptional) return type;
    const element = this.#variable();
    this.#require(optional(element), type, value.at);
    return element;
  }

  /** The common type of literal members: one type, or `dyn` where the environment allows a mixture. */
  #join(joined: CelType | undefined, next: CelType, at: number, mixed = false): CelType {
    if (joined === undefined) return next;
    const substitution = this.#substitution.copy();
    if (substitution.assign(joined, next)) {
      this.#substitution = substitution;
      const [left, right] = [joined, next].map((type) => this.#resolve(type));
      return left!.kind === "null" || right!.kind === "dyn" ? next : joined;
    }
    if (this.#environment.homogeneousLiterals && !mixed) this.#require(joined, next, at);
    return dyn;
  }

  #list(expression: ListExpression): CelType {
    let element: CelType | undefined;
    for (const { value, optional: isOptional } of expression.elements) {
      element = this.#join(element, this.#entry(value, isOptional), value.at, this.#mixed.has(expression));
    }
    return list(element ?? this.#variable());
  }

  #map(expression: MapExpression): CelType {
    let key: CelType | undefined;
    let value: CelType | undefined;
    for (const entry of expression.entries) {
      key = this.#join(key, this.#check(entry.key), entry.key.at);
      value = this.#join(value, this.#entry(entry.value, entry.optional), entry.value.at);
    }
    return map(key ?? this.#variable(), value ?? this.#variable());
  }

  #scoped<T>(names: readonly string[], types: readonly CelType[], body: () => T): T {
    this.#locals.push(new Map(names.map((name, index) => [name, types[index]!])));
    const result = body();
    this.#locals.pop();
    return result;
  }

  /** Types of the two variables of a comprehension over `range`. */
  #rangeTypes(range: CelType, at: number): readonly [CelType, CelType] {
    if (range.kind === "list") return [int, elementOf(range)];
    if (range.kind === "map") return [range.parameters[0]!, entryOf(range)];
    if (range.kind === "dyn" || range.kind === "parameter") return [dyn, dyn];
    const message = `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`;
    this.#fail(message, at);
    return [dyn, dyn];
  }

  #fold(expression: FoldExpression): CelType {
    const range = this.#resolve(this.#check(expression.range));
    const [key, value] = this.#rangeTypes(range, expression.range.at);
    const single = range.kind === "map" ? key : value;
    const types = expression.variables.length === 2 ? [key, value] : [single];
    return this.#scoped(expression.variables, types, () => {
      const { predicate, transform } = expression;
      if (predicate !== undefined) this.#require(bool, this.#check(predicate), predicate.at);
      const result = transform === undefined ? single : this.#check(transform);
      return this.#foldResult(expression, result, key, range.kind === "dyn");
    });
  }

  #foldResult(expression: FoldExpression, result: CelType, key: CelType, unknown: boolean): CelType {
    switch (expression.operation) {
      case "all":
      case "exists":
      case "existsOne":
        return bool;
      case "map":
      case "filter":
      case "transformList":
        return list(result);
      case "transformMap":
        return map(unknown ? dyn : key, result);
      case "transformMapEntry": {
        const entry = map(this.#variable(), this.#variable());
        this.#require(entry, result, expression.at);
        return entry;
      }
    }
  }

  #bind(expression: BindExpression): CelType {
    const value = this.#check(expression.value);
    if (expression.over === undefined) {
      return this.#scoped([expression.name], [value], () => this.#check(expression.body));
    }
    const inner = this.#variable();
    this.#require(optional(inner), value, expression.value.at);
    const body = this.#scoped([expression.name], [inner], () => this.#check(expression.body));
    if (expression.over === "optMap") return optional(body);
    const result = optional(this.#variable());
    this.#require(result, body, expression.body.at);
    return result;
  }
}
