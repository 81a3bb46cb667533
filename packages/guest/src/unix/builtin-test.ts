import { type Builtin, complain } from "./builtin.ts";
import { binaryTest, unary } from "./condition.ts";
import type { Session } from "./session.ts";

const test = (words: readonly string[], session: Session): boolean => {
  const [first = "", second = "", third = ""] = words;
  const or = words.indexOf("-o", 1);
  if (or > 0 && words.length > 3) return test(words.slice(0, or), session) || test(words.slice(or + 1), session);
  const and = words.indexOf("-a", 1);
  if (and > 0 && words.length > 3) return test(words.slice(0, and), session) && test(words.slice(and + 1), session);
  if (words.length === 0) return false;
  if (words.length === 1) return first !== "";
  if (words.length === 3) {
    const isOfBash = second === "==" && session.dialect === "dash";
    const result = isOfBash ? undefined : binaryTest(first, second, third, session);
    if (result !== undefined) return result;
  }
  if (first === "!") return !test(words.slice(1), session);
  if (first === "(" && words.at(-1) === ")") return test(words.slice(1, -1), session);
  if (words.length === 2) return known(unary(first, second, session), first, "unary operator expected", session);
  if (words.length === 3) {
    return known(undefined, session.dialect === "dash" ? first : second, "binary operator expected", session);
  }
  throw new Error(session.dialect === "bash" ? "too many arguments" : `${second}: unexpected operator`);
};

const known = (result: boolean | undefined, operator: string, wanted: string, { dialect }: Session): boolean => {
  if (result === undefined) throw new Error(`${operator}: ${dialect === "bash" ? wanted : "unexpected operator"}`);
  return result;
};

/** `test`, by its name. */
export const runTest =
  (name: "[" | "test"): Builtin =>
  (context) => {
    const { args, session } = context;
    try {
      if (name === "[" && args.at(-1) !== "]") {
        throw new Error(session.dialect === "bash" ? "missing `]'" : "missing ]");
      }
      return test(name === "[" ? args.slice(0, -1) : args, session) ? 0 : 1;
    } catch (error) {
      return complain(context, `${name}: ${(error as Error).message}`, 2);
    }
  };
