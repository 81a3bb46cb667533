/** Maximum cost of one evaluation. */
export const callBudget = 1_000_000;
/** Maximum cost of all evaluations for one object together. */
export const objectBudget = 10_000_000;

/** Thrown by evaluations that do more work than their budget has patience for; it says nothing about the expression. */
export class PatienceSpent extends Error {
  constructor() {
    super("the evaluation takes too long to be done at once");
    this.name = "PatienceSpent";
  }
}

/** A budget that several evaluations share; make a new one for every object. */
export class Budget {
  remaining: number;
  /**
   * Work that may still be done, in about the time that one unit of cost takes: at most half a microsecond. Cost is what Kubernetes says
   * that something costs, work is what it takes here. An evaluation that does more throws `PatienceSpent`. Default: no limit.
   */
  patience: number;

  constructor(limit: number = objectBudget, { patience = Infinity }: { readonly patience?: number } = {}) {
    this.remaining = limit;
    this.patience = patience;
  }
}
