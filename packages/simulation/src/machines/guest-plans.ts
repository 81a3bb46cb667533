/** Behaviour of the inside of machines, as data. Vendors add fields of their own, which are passed to the guest. */
export interface GuestPlan {
  /** Name of the machine, in any letter case. Default: every one. */
  readonly machine?: string;
  /** As in `GuestMachine`, in any letter case. Default: every one. */
  readonly group?: string;
  /** `never`: the machine runs for its cloud, but nothing happens inside. */
  readonly boot?: "never";
  /** `hang`: it comes up, but does not begin with its bootstrap data. */
  readonly bootstrap?: "hang";
  /** It begins with its bootstrap data so much later. */
  readonly bootstrapSeconds?: number;
  /** Lines that its console shows as it comes up. */
  readonly console?: string;
  readonly [field: string]: unknown;
}

/** The plans for the machines of a simulator. Each counts from the next time that a machine comes up. */
export class GuestPlans {
  #plans: readonly GuestPlan[] = [];

  get all(): readonly GuestPlan[] {
    return this.#plans;
  }

  add(plan: GuestPlan): void {
    this.#plans = [...this.#plans, plan];
  }

  /** Removes all plans, or those of a group. */
  clear(group?: string): void {
    this.#plans = group === undefined ? [] : this.#plans.filter((plan) => !same(plan.group ?? "", group));
  }

  /** Everything that is planned for a machine; of two plans the later one counts. */
  for({ name, group }: { readonly name: string; readonly group: string }): GuestPlan {
    const fitting = this.#plans.filter((plan) => same(plan.machine ?? name, name) && same(plan.group ?? group, group));
    return Object.assign({}, ...fitting) as GuestPlan;
  }
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
