import { noSuchOverload } from "../values/failure.ts";
import { isAbsorbable } from "./frame.ts";
import type { Step } from "./frame.ts";

/**
 * `&&` and `||` of any number of operands: the first operand equal to `decisive` decides, even after a failing one.
 * If none does, the first failure is the result.
 */
const junction =
  (operands: readonly Step[], decisive: boolean): Step =>
  (frame) => {
    let failure: unknown;
    for (const operand of operands) {
      try {
        const value = operand(frame);
        if (value === decisive) return decisive;
        if (value !== !decisive) failure ??= noSuchOverload();
      } catch (error) {
        if (!isAbsorbable(error)) throw error;
        failure ??= error;
      }
    }
    if (failure !== undefined) throw failure;
    return !decisive;
  };

export const and = (operands: readonly Step[]): Step => junction(operands, false);
export const or = (operands: readonly Step[]): Step => junction(operands, true);

export const conditional = (operands: readonly Step[]): Step => {
  const [condition, yes, no] = operands as [Step, Step, Step];
  return (frame) => {
    const value = condition(frame);
    if (typeof value !== "boolean") throw noSuchOverload();
    return value ? yes(frame) : no(frame);
  };
};
