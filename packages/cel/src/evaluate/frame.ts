import { Failure } from "../values/failure.ts";
import type { Value } from "../values/value.ts";

/** One evaluation: the variables by slot, and what may still be spent. */
export class Frame {
  readonly slots: (Value | undefined)[];
  remaining: number;

  constructor(slots: (Value | undefined)[], limit: number) {
    this.slots = slots;
    this.remaining = limit;
  }

  /** Throws a `Failure` of kind `budget` once more is spent than there was. */
  charge(cost: number): void {
    this.remaining -= cost;
    if (this.remaining < 0) throw new Failure("operation cancelled: actual cost limit exceeded", "budget");
  }
}

/** A compiled node. Throws a `Failure` where CEL has an error. */
export type Step = (frame: Frame) => Value;

/** A failure that logic and macros may ignore when another operand decides; running out of budget is none. */
export const isAbsorbable = (error: unknown): error is Failure =>
  error instanceof Failure && error.kind === "evaluation";
