import { bool, parameter } from "../types/cel-type.ts";
import { noSuchOverload } from "../values/failure.ts";
import { fn } from "./overload.ts";
import type { Overload } from "./overload.ts";

const A = parameter("A");
const planned = (): never => {
  throw noSuchOverload();
};

/** Types of the operators that decide which operands are evaluated at all; the planner evaluates them itself. */
export const logic: readonly Overload[] = [fn("_?_:_", [bool, A, A], A, planned)];
