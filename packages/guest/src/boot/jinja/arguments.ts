import type { Budget } from "./budget.ts";
import type { Value } from "./value.ts";

/** Arguments of a filter, test, method or function, and the budget of the call. */
export interface Given {
  readonly positional: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
  readonly budget: Budget;
}

/** An argument by its place or its name. */
export const argument = ({ named, positional }: Given, index: number, name: string): Value | undefined =>
  positional[index] ?? named.get(name);

/** Something that is called with a value: the methods of values and the filters. */
export type Operation = (value: Value, given: Given) => Value;
