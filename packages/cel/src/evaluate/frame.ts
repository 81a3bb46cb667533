import { PatienceSpent } from "../budget.ts";
import { Failure } from "../values/failure.ts";
import type { Value } from "../values/value.ts";

/** One evaluation: the variables by slot, and what may still be spent and done. */
export class Frame {
  readonly slots: (Value | undefined)[];
  remaining: number;
  patience: number;

  constructor(slots: (Value | undefined)[], limit: number, patience: number = Infinity) {
    this.slots = slots;
    this.remaining = limit;
    this.patience = patience;
  }

  /** Throws a `Failure` of kind `budget` once more is spent than there was, and `PatienceSpent` when too much was done. */
  charge(cost: number, work: number = cost): void {
    this.remaining -= cost;
    this.patience -= work;
    if (this.remaining < 0) throw new Failure("operation cancelled: actual cost limit exceeded", "budget");
    if (this.patience < 0) throw new PatienceSpent();
  }
}

/** A compiled node. Throws a `Failure` where CEL has an error. */
export type Step = (frame: Frame) => Value;

/** A failure that logic and macros may ignore when another operand decides; running out of budget is none. */
export const isAbsorbable = (error: unknown): error is Failure =>
  error instanceof Failure && error.kind === "evaluation";
