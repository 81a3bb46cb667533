import { RE2JS } from "re2js";
import type { Expander } from "./expand.ts";
import { fitsPattern } from "./pattern.ts";
import { calculated, valuesOf } from "./parameters.ts";
import type { Session } from "./session.ts";
import { arrayOf } from "./shell-array.ts";
import type { Word } from "./syntax.ts";

/** Returns the result of `test` on one argument; `undefined` if the operator is unknown. */
export const unary = (operator: string, value: string, session: Session): boolean | undefined => {
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
      return (file !== undefined && file.bytes.length > 0) || (path !== "" && disk.isDirectory(path));
    case "-d":
      return path !== "" && disk.isDirectory(path);
    case "-e":
    case "-a":
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
      return path !== "" && disk.link(path) !== undefined;
    case "-c":
      return /^\/dev\/(?:null|zero|u?random|tty|console|std\w+)$/.test(path);
    case "-O":
    case "-G":
      return file !== undefined || (path !== "" && disk.isDirectory(path));
    case "-b":
    case "-p":
    case "-t":
      return false;
    case "-S":
      return file !== undefined && path.endsWith(".sock");
    case "-v": {
      const [, name = value, key] = /^(\w+)\[(.+)\]$/.exec(value) ?? [];
      return valuesOf(name, key, session).length > 0;
    }
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

/** Returns the result of `test` on two arguments; `undefined` if the operator is unknown. */
export const binaryTest = (left: string, operator: string, right: string, session: Session): boolean | undefined => {
  if (operator === "=" || operator === "==") return left === right;
  if (operator === "!=") return left !== right;
  if (operator === "<") return left < right;
  if (operator === ">") return left > right;
  if (operator === "-nt" || operator === "-ot") {
    const [first, second] = [left, right].map((path) => session.disk.stat(session.path(path)) !== undefined);
    return operator === "-nt" ? first === true && second !== true : second === true && first !== true;
  }
  if (operator === "-ef") return session.disk.resolve(session.path(left)) === session.disk.resolve(session.path(right));
  const compare = Object.hasOwn(numbers, operator) ? numbers[operator] : undefined;
  if (compare === undefined) return undefined;
  for (const value of [left, right]) {
    if (!/^\s*[-+]?\d+\s*$/.test(value)) {
      throw new Error(
        session.dialect === "bash" ? `${value}: integer expression expected` : `Illegal number: ${value}`,
      );
    }
  }
  return compare(Number(left), Number(right));
};

const plainText = (word: Word | undefined): string =>
  word?.every((part) => part.kind === "text" && !part.quoted) === true
    ? word.map((part) => (part.kind === "text" ? part.text : "")).join("")
    : "";

/** A regular expression, of which quoted parts stand for themselves. */
const expression = async (word: Word, expander: Expander): Promise<string> => {
  let text = "";
  for (const part of word) {
    const value = await expander.text([part]);
    text += part.quoted ? RE2JS.quote(value) : value;
  }
  return text;
};

/** Looks for the expression, and sets what bash says of the place. */
const matches = (text: string, pattern: string, session: Session): boolean => {
  const matcher = RE2JS.compile(pattern, session.shopt.has("nocasematch") ? RE2JS.CASE_INSENSITIVE : 0).matcher(text);
  const isFound = matcher.find();
  const groups = isFound
    ? Array.from({ length: matcher.groupCount() + 1 }, (_, index) => matcher.group(index) ?? "")
    : [];
  session.variables.set("BASH_REMATCH", arrayOf(groups));
  return isFound;
};

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
    if (operator === "=~") return matches(left, await expression(right, expander), session);
    if (operator === "=" || operator === "==") return fitsPattern(await expander.pattern(right), left);
    if (operator === "!=") return !fitsPattern(await expander.pattern(right), left);
    const value = await expander.text(right);
    if (!/^-(?:eq|ne|lt|le|gt|ge)$/.test(operator)) return binaryTest(left, operator, value, session) ?? false;
    const [one, other] = [left, value].map((text) => String(calculated(text, session)));
    return binaryTest(one ?? "", operator, other ?? "", session) ?? false;
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
