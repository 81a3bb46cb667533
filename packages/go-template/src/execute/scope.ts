/** The dot and the variables of one place in a template; the variables are those of the scopes around as well. */
export class Scope {
  readonly dot: unknown;
  /** Number of template calls on the stack. */
  readonly depth: number;
  readonly #variables = new Map<string, unknown>();
  readonly #outer: Scope | undefined;

  private constructor(dot: unknown, depth: number, outer: Scope | undefined) {
    this.dot = dot;
    this.depth = depth;
    this.#outer = outer;
  }

  /** The outermost of a template that is rendered with these data. */
  static of(data: unknown, depth = 0): Scope {
    const scope = new Scope(data, depth, undefined);
    scope.declare("$", data);
    return scope;
  }

  inside(dot: unknown = this.dot): Scope {
    return new Scope(dot, this.depth, this);
  }

  declare(name: string, value: unknown): void {
    this.#variables.set(name, value);
  }

  assign(name: string, value: unknown): void {
    if (this.#variables.has(name) || this.#outer === undefined) this.#variables.set(name, value);
    else this.#outer.assign(name, value);
  }

  get(name: string): unknown {
    return this.#variables.has(name) ? this.#variables.get(name) : this.#outer?.get(name);
  }
}
