import type { Budget } from "./budget.ts";
import { filled } from "./texts.ts";
import { compared, contains, equals, isList, numberOf, shown, sizeOf, textOf, type Value } from "./value.ts";

const comparisons: readonly string[] = ["==", "!=", "<", ">", "<=", ">=", "in", "not in"];

export const isComparison = (operator: string): boolean => comparisons.includes(operator);

/** Returns whether two values stand to one another as a comparison says. */
export const related = (operator: string, left: Value, right: Value): boolean => {
  switch (operator) {
    case "==":
      return equals(left, right);
    case "!=":
      return !equals(left, right);
    case "in":
      return contains(right, left);
    case "not in":
      return !contains(right, left);
    case "<":
      return compared(left, right) < 0;
    case ">":
      return compared(left, right) > 0;
    case "<=":
      return compared(left, right) <= 0;
    default:
      return compared(left, right) >= 0;
  }
};

const divisor = (value: Value): number => {
  const number = numberOf(value, "what is divided by");
  if (number === 0) throw new Error("division by zero");
  return number;
};

const numeric = (operator: string, left: number, right: Value): number => {
  switch (operator) {
    case "+":
      return left + numberOf(right, "what is added");
    case "-":
      return left - numberOf(right, "what is subtracted");
    case "*":
      return left * numberOf(right, "what is multiplied with");
    case "/":
      return left / divisor(right);
    case "//":
      return Math.floor(left / divisor(right));
    case "%":
      return left - divisor(right) * Math.floor(left / divisor(right));
    default:
      return left ** numberOf(right, "the power");
  }
};

/** Returns the result of an operator on two values. */
export const operated = (operator: string, left: Value, right: Value, budget: Budget): Value => {
  if (operator === "~") {
    budget.pay(sizeOf(left) + sizeOf(right));
    return shown(left) + shown(right);
  }
  if (operator === "+" && typeof left === "string") return left + textOf(right, "what is added to a text");
  if (operator === "+" && isList(left) && isList(right)) return [...left, ...right];
  if (operator === "*" && typeof left === "string") return filled(left, numberOf(right, "the count"), budget);
  if (operator === "*" && typeof right === "string") return filled(right, numberOf(left, "the count"), budget);
  return numeric(operator, numberOf(left, `what is left of ${operator}`), right);
};
