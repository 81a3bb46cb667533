/** What one evaluation may cost. */
export const callBudget = 1_000_000;
/** What all evaluations for one object may cost together. */
export const objectBudget = 10_000_000;

/** A budget that several evaluations share; make a new one for every object. */
export class Budget {
  remaining: number;

  constructor(limit: number = objectBudget) {
    this.remaining = limit;
  }
}
