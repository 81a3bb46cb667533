import { CapstanError } from "@capstan/contract";
import type { IndexFunction } from "../cache.ts";

/** Objects by the values of one index function; values are worked out once, when an object is put in. */
class ObjectIndex<T extends object> {
  readonly valuesOf: IndexFunction<T>;
  readonly #byValue = new Map<string, Set<T>>();
  readonly #values = new Map<T, readonly string[]>();

  constructor(valuesOf: IndexFunction<T>) {
    this.valuesOf = valuesOf;
  }

  get(value: string): readonly T[] {
    return [...(this.#byValue.get(value) ?? [])];
  }

  add(object: T): void {
    const values = this.#valuesFor(object);
    if (values.length === 0) return;
    this.#values.set(object, values);
    for (const value of values) {
      const members = this.#byValue.get(value);
      if (members === undefined) this.#byValue.set(value, new Set([object]));
      else members.add(object);
    }
  }

  /** An object of which a function can make nothing has no values: it must not keep all others of its kind from being read. */
  #valuesFor(object: T): readonly string[] {
    try {
      return this.valuesOf(object);
    } catch {
      return [];
    }
  }

  remove(object: T): void {
    for (const value of this.#values.get(object) ?? []) {
      const members = this.#byValue.get(value);
      members?.delete(object);
      if (members?.size === 0) this.#byValue.delete(value);
    }
    this.#values.delete(object);
  }
}

/** The named indexes of one kind. */
export class ObjectIndexes<T extends object> {
  readonly #indexes = new Map<string, ObjectIndex<T>>();

  declare(name: string, valuesOf: IndexFunction<T>, present: Iterable<T>): void {
    const known = this.#indexes.get(name);
    if (known !== undefined) {
      if (known.valuesOf === valuesOf) return;
      throw new CapstanError({
        code: "kube.index_conflict",
        reason: "IndexConflict",
        message: `index "${name}" is already declared with another function; choose another name or share the function`,
        retry: { kind: "never" },
      });
    }
    const index = new ObjectIndex(valuesOf);
    for (const object of present) index.add(object);
    this.#indexes.set(name, index);
  }

  get(name: string, value: string): readonly T[] {
    const index = this.#indexes.get(name);
    if (index !== undefined) return index.get(value);
    throw new CapstanError({
      code: "kube.index_missing",
      reason: "IndexMissing",
      message: `index "${name}" is not declared; call addIndex before reading it`,
      retry: { kind: "never" },
    });
  }

  replace(previous: T | undefined, next: T | undefined): void {
    for (const index of this.#indexes.values()) {
      if (previous !== undefined) index.remove(previous);
      if (next !== undefined) index.add(next);
    }
  }
}
