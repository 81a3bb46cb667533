/** A method with one argument: `.Compare`, `.Format`. */
export class GoMethod {
  readonly parameter: "any" | "string";
  readonly call: (argument: unknown) => unknown;

  constructor(parameter: "any" | "string", call: (argument: unknown) => unknown) {
    this.parameter = parameter;
    this.call = call;
  }
}

interface GoObjectParts {
  /** In Go's words: `time.Time`, `*semver.Version`. */
  readonly type: string;
  readonly kind: "ptr" | "struct";
  readonly text: string;
  /** Values of its fields and of its methods without arguments; functions for methods with arguments. */
  readonly members: Readonly<Record<string, unknown>>;
  /** As JSON has it. */
  readonly json: string;
}

/** A Go value that is neither JSON nor a map: it has a text and members that templates cannot change. */
export class GoObject {
  readonly #parts: GoObjectParts;

  constructor(parts: GoObjectParts) {
    this.#parts = parts;
  }

  get type(): string {
    return this.#parts.type;
  }

  get kind(): "ptr" | "struct" {
    return this.#parts.kind;
  }

  get text(): string {
    return this.#parts.text;
  }

  get members(): Readonly<Record<string, unknown>> {
    return this.#parts.members;
  }

  get json(): string {
    return this.#parts.json;
  }
}
