import { RE2JS } from "re2js";
import type { Disk } from "../boot/disk.ts";
import type { Expander } from "./expand.ts";
import { fitsPattern } from "./pattern.ts";
import type { Session } from "./session.ts";
import type { Word } from "./syntax.ts";

/** What `test` says of one argument; `undefined`: the operator is not known. */
export const unary = (
  operator: string,
  value: string,
  session: Pick<Session, "path" | "variables"> & { readonly disk: Disk },
): boolean | undefined => {
  const { disk } = session;
  const path = value === "" ? "" : session.path(value);
  const file = path === "" ? undefined : disk.stat(path);
  switch (operator) {
    case "-z":
      return value === "";
    case "-n":
      return value !== "";
    case "-f":
      return file !== undefined;
    case "-s":
      return file !== undefined && file.bytes.length > 0;
    case "-d":
      return path !== "" && disk.isDirectory(path);
    case "-e":
    case "-r":
    case "-w":
      return (
        path !== "" &&
        (file !== undefined || disk.isDirectory(path) || /^\/dev\/(null|stdin|stdout|stderr)$/.test(path))
      );
    case "-x":
      return path !== "" && (isExecutable(file?.permissions) || disk.isDirectory(path));
    case "-L":
    case "-h":
    case "-b":
    case "-p":
    case "-t":
      return false;
    case "-S":
      return file !== undefined && path.endsWith(".sock");
    case "-v":
      return session.variables.has(value);
    default:
      return undefined;
  }
};

export const isExecutable = (permissions = "0644"): boolean => /[1357]/.test(permissions.slice(-3));

const numbers: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  "-eq": (left, right) => left === right,
  "-ne": (left, right) => left !== right,
  "-lt": (left, right) => left < right,
  "-le": (left, right) => left <= right,
  "-gt": (left, right) => left > right,
  "-ge": (left, right) => left >= right,
};

/** What `test` says of two arguments; `undefined`: the operator is not known. */
export const binaryTest = (left: string, operator: string, right: string): boolean | undefined => {
  if (operator === "=" || operator === "==") return left === right;
  if (operator === "!=") return left !== right;
  if (operator === "<") return left < right;
  if (operator === ">") return left > right;
  const compare = Object.hasOwn(numbers, operator) ? numbers[operator] : undefined;
  if (compare === undefined) return undefined;
  for (const value of [left, right]) {
    if (!/^\s*[-+]?\d+\s*$/.test(value)) throw new Error(`${value}: integer expression expected`);
  }
  return compare(Number(left), Number(right));
};

const plainText = (word: Word | undefined): string =>
  word?.every((part) => part.kind === "text" && !part.quoted) === true
    ? word.map((part) => (part.kind === "text" ? part.text : "")).join("")
    : "";

/** `[[ ... ]]`. */
export const condition = async (words: readonly Word[], expander: Expander, session: Session): Promise<boolean> => {
  let at = 0;
  const primary = async (): Promise<boolean> => {
    const sign = plainText(words[at]);
    if (sign === "!") {
      at += 1;
      return !(await primary());
    }
    if (sign === "(") {
      at += 1;
      const inner = await either();
      at += 1;
      return inner;
    }
    if (/^-[a-zA-Z]$/.test(sign) && words[at + 1] !== undefined && !/^(?:==?|!=)$/.test(plainText(words[at + 1]))) {
      const value = await expander.text(words[at + 1] ?? []);
      at += 2;
      return unary(sign, value, session) ?? false;
    }
    const left = await expander.text(words[at] ?? []);
    const operator = plainText(words[at + 1]);
    if (!/^(?:==?|!=|=~|<|>|-[a-z]{2})$/.test(operator)) {
      at += 1;
      return left !== "";
    }
    const right = words[at + 2] ?? [];
    at += 3;
    if (operator === "=~") {
      return RE2JS.compile(await expander.text(right))
        .matcher(left)
        .find();
    }
    if (operator === "=" || operator === "==") return fitsPattern(await expander.pattern(right), left);
    if (operator === "!=") return !fitsPattern(await expander.pattern(right), left);
    return binaryTest(left, operator, await expander.text(right)) ?? false;
  };
  const both = async (): Promise<boolean> => {
    let result = await primary();
    while (plainText(words[at]) === "&&") {
      at += 1;
      result = (await primary()) && result;
    }
    return result;
  };
  const either = async (): Promise<boolean> => {
    let result = await both();
    while (plainText(words[at]) === "||") {
      at += 1;
      result = (await both()) || result;
    }
    return result;
  };
  return either();
};
