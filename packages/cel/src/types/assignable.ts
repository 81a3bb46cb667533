import type { CelType } from "./cel-type.ts";
import { dyn } from "./cel-type.ts";

const nullable = new Set(["object", "timestamp", "duration", "opaque", "optional"]);

/** Bindings of type variables. Attempts work on a copy, so a failed overload leaves no trace. */
export class Substitution {
  readonly #bindings: Map<string, CelType>;

  constructor(bindings: Iterable<readonly [string, CelType]> = []) {
    this.#bindings = new Map(bindings);
  }

  copy(): Substitution {
    return new Substitution(this.#bindings);
  }

  /** The type with every bound variable replaced; unbound variables stay. */
  apply(type: CelType): CelType {
    if (type.kind === "parameter") {
      const bound = this.#bindings.get(type.name);
      return bound === undefined ? type : this.apply(bound);
    }
    if (type.parameters.length === 0) return type;
    return { ...type, parameters: type.parameters.map((parameter) => this.apply(parameter)) };
  }

  /** As `apply`, with unbound variables as `dyn`. */
  settle(type: CelType): CelType {
    const applied = this.apply(type);
    if (applied.kind === "parameter") return dyn;
    if (applied.parameters.length === 0) return applied;
    return { ...applied, parameters: applied.parameters.map((parameter) => this.settle(parameter)) };
  }

  /** Returns whether a value of `source` may stand where `target` is wanted; binds variables of both on success. */
  assign(target: CelType, source: CelType): boolean {
    if (target === source) return true;
    if (target.kind === "parameter") return this.#assignToVariable(target, source);
    if (source.kind === "parameter") {
      const bound = this.#bindings.get(source.name);
      if (bound !== undefined) return this.assign(target, bound);
      return this.#bind(source.name, target);
    }
    if (target.kind === "dyn" || source.kind === "dyn") return true;
    if (source.kind === "null") return target.kind === "null" || nullable.has(target.kind);
    if (target.kind === "null") return nullable.has(source.kind);
    if (target.kind !== source.kind) return false;
    return this.#sameShape(target, source);
  }

  #sameShape(target: CelType, source: CelType): boolean {
    if (target.kind === "object") return target.fields === source.fields;
    if (target.kind === "opaque") return target.name === source.name;
    if (target.kind === "type") return true;
    return target.parameters.every((parameter, index) => this.assign(parameter, source.parameters[index] ?? dyn));
  }

  #assignToVariable(target: CelType, source: CelType): boolean {
    const bound = this.#bindings.get(target.name);
    if (bound === undefined) return this.#bind(target.name, source);
    const applied = this.apply(source);
    if (!this.assign(bound, applied)) return false;
    if (bound.kind !== "parameter" && isMoreGeneral(applied, this.apply(bound))) {
      this.#bindings.set(target.name, applied);
    }
    return true;
  }

  #bind(name: string, type: CelType): boolean {
    const applied = this.apply(type);
    if (applied.kind === "parameter" && applied.name === name) return true;
    if (mentions(applied, name)) return false;
    this.#bindings.set(name, applied);
    return true;
  }
}

const mentions = (type: CelType, name: string): boolean =>
  (type.kind === "parameter" && type.name === name) || type.parameters.some((inner) => mentions(inner, name));

/** Returns whether `left` admits more values than `right`, given that one is assignable to the other. */
const isMoreGeneral = (left: CelType, right: CelType): boolean => {
  if (left.kind === "dyn") return right.kind !== "dyn";
  if (right.kind === "null") return left.kind !== "null";
  if (left.nullable === true && right.nullable !== true) return true;
  return left.parameters.some((inner, index) => isMoreGeneral(inner, right.parameters[index] ?? inner));
};
