/** Failure of an evaluation. Thrown and caught inside the engine; callers get it as the error of a result. */
export class Failure {
  readonly message: string;
  readonly kind: "evaluation" | "budget";

  constructor(message: string, kind: "evaluation" | "budget" = "evaluation") {
    this.message = message;
    this.kind = kind;
  }
}

export const noSuchOverload = (): Failure => new Failure("no such overload");
