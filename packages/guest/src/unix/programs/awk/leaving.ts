import type { Value } from "./values.ts";

/** Steps that one program may take. */
export const most = 1_000_000;

/** Thrown to leave a loop, a function, a rule or the program, by `break`, `continue`, `return`, `next` and `exit`. */
export class Leaving extends Error {
  readonly how: string;
  readonly value: Value;

  constructor(how: string, value: Value) {
    super(how);
    this.how = how;
    this.value = value;
  }
}
