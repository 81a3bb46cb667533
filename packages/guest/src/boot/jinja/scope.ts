import { Missing, type Value } from "./value.ts";

/** Values of Jinja's built-in names. */
const literals: readonly (readonly [string, Value])[] = [
  ["True", true],
  ["true", true],
  ["False", false],
  ["false", false],
  ["None", null],
  ["none", null],
];

/** Variables by name: those of a loop are gone behind it. */
export class Scope {
  readonly #values: Map<string, Value>;
  readonly #outer: Scope | undefined;

  constructor(outer?: Scope) {
    this.#outer = outer;
    this.#values = new Map(outer === undefined ? literals : []);
  }

  get(name: string): Value {
    const value = this.#values.get(name);
    if (value !== undefined) return value;
    return this.#outer === undefined ? new Missing(name) : this.#outer.get(name);
  }

  set(name: string, value: Value): void {
    this.#values.set(name, value);
  }
}
