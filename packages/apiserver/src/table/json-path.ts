import { isJsonObject, own, sameJson } from "@capstan/schema";

type Step =
  | { readonly type: "member"; readonly name: string }
  | { readonly type: "all" }
  | { readonly type: "elements"; readonly indexes: readonly number[] }
  | { readonly type: "slice"; readonly from: number; readonly to: number; readonly step: number }
  | { readonly type: "filter"; readonly keep: (element: unknown) => boolean };

/** A parsed path: gives every value it leads to. */
export type JsonPath = (root: unknown) => readonly unknown[];

/**
 * Reads a simple JSONPath as printer columns use it: `.a.b`, `.a['b.c']`, `.a\.b`, `[0]`, `[-1]`, `[0,2]`, `[1:3]`, `[*]`, `.*` and
 * filters `[?(@.type=="Ready")]` with `==`, `!=`, `<`, `<=`, `>`, `>=` or existence. Undefined when it cannot be read.
 */
export const parseJsonPath = (text: string): JsonPath | undefined => {
  const steps = readSteps(text);
  return steps === undefined
    ? undefined
    : (root) =>
        steps.reduce<readonly unknown[]>((values, step) => values.flatMap((value) => follow(value, step)), [root]);
};

const follow = (value: unknown, step: Step): readonly unknown[] => {
  const elements = Array.isArray(value) ? (value as readonly unknown[]) : [];
  switch (step.type) {
    case "member": {
      const member = isJsonObject(value) ? own(value, step.name) : undefined;
      return member === undefined ? [] : [member];
    }
    case "all":
      return isJsonObject(value) ? Object.values(value) : elements;
    case "elements":
      return step.indexes
        .map((index) => (index < 0 ? index + elements.length : index))
        .filter((index) => index >= 0 && index < elements.length)
        .map((index) => elements[index]);
    case "slice":
      return elements.slice(step.from, step.to).filter((_, index) => index % step.step === 0);
    default:
      return elements.filter(step.keep);
  }
};

const memberPattern = /^\.((?:\\.|[^.[\]\\])+)/;
const bracketPattern = /^\[((?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^\]'"])*)\]/;

const readSteps = (text: string): readonly Step[] | undefined => {
  const steps: Step[] = [];
  let rest = text.startsWith("$") ? text.slice(1) : text;
  while (rest !== "" && rest !== ".") {
    const member = memberPattern.exec(rest);
    const bracket = member === null ? bracketPattern.exec(rest.replace(/^\.(?=\[)/, "")) : null;
    const step = member === null ? bracket && readBracket(bracket[1] ?? "") : readMember(member[1] ?? "");
    if (step === null || step === undefined) {
      return undefined;
    }
    steps.push(step);
    rest = (member === null ? rest.replace(/^\.(?=\[)/, "") : rest).slice((member ?? bracket)?.[0].length);
  }
  return steps;
};

const readMember = (text: string): Step =>
  text === "*" ? { type: "all" } : { type: "member", name: text.replaceAll(/\\(.)/g, "$1") };

const readBracket = (text: string): Step | undefined => {
  if (text === "*") {
    return { type: "all" };
  }
  const quoted = unquoted(text);
  if (quoted !== undefined) {
    return { type: "member", name: quoted };
  }
  if (/^-?\d+(,-?\d+)*$/.test(text)) {
    return { type: "elements", indexes: text.split(",").map(Number) };
  }
  const slice = /^(-?\d*):(-?\d*)(?::(\d+))?$/.exec(text);
  if (slice !== null) {
    const [, from = "", to = "", step = "1"] = slice;
    return {
      type: "slice",
      from: from === "" ? 0 : Number(from),
      to: to === "" ? Infinity : Number(to),
      step: Math.max(1, Number(step)),
    };
  }
  const filter = /^\?\((.*)\)$/.exec(text);
  const keep = filter === null ? undefined : readFilter((filter[1] ?? "").trim());
  return keep === undefined ? undefined : { type: "filter", keep };
};

const comparisons: Readonly<Record<string, (left: unknown, right: unknown) => boolean>> = {
  "==": (left, right) => sameJson(left, right),
  "!=": (left, right) => !sameJson(left, right),
  "<": (left, right) => order(left, right, (difference) => difference < 0),
  "<=": (left, right) => order(left, right, (difference) => difference <= 0),
  ">": (left, right) => order(left, right, (difference) => difference > 0),
  ">=": (left, right) => order(left, right, (difference) => difference >= 0),
};

const order = (left: unknown, right: unknown, holds: (difference: number) => boolean): boolean => {
  if (typeof left === "number" && typeof right === "number") {
    return holds(left - right);
  }
  return typeof left === "string" && typeof right === "string" && holds(left < right ? -1 : left > right ? 1 : 0);
};

/** To read a longer filter takes the square of its length. */
const longestFilter = 1_000;

const readFilter = (text: string): ((element: unknown) => boolean) | undefined => {
  if (text.length > longestFilter) return undefined;
  const [, leftText = "", operator, rightText = ""] =
    /^((?:'[^']*'|"[^"]*"|[^=!<>'"])+?)\s*(?:(==|!=|<=|>=|<|>)\s*(.+))?$/.exec(text) ?? [];
  const left = readOperand(leftText);
  if (operator === undefined) {
    return left === undefined || !leftText.startsWith("@") ? undefined : (element) => left(element).length > 0;
  }
  const right = readOperand(rightText);
  const holds = comparisons[operator];
  return left === undefined || right === undefined || holds === undefined
    ? undefined
    : (element) => {
        const [one, other] = [left(element), right(element)];
        return one.length === 1 && other.length === 1 && holds(one[0], other[0]);
      };
};

const readOperand = (text: string): JsonPath | undefined => {
  if (text.startsWith("@")) {
    return parseJsonPath(text.slice(1));
  }
  const quoted = unquoted(text);
  if (quoted !== undefined) {
    return () => [quoted];
  }
  return /^(true|false|-?\d+(\.\d+)?)$/.test(text) ? () => [JSON.parse(text) as unknown] : undefined;
};

/** The text inside matching quotes, escapes resolved; undefined when the text is not quoted as a whole. */
const unquoted = (text: string): string | undefined => {
  const inner = /^'((?:\\.|[^'\\])*)'$/.exec(text) ?? /^"((?:\\.|[^"\\])*)"$/.exec(text);
  return inner?.[1]?.replaceAll(/\\(.)/g, "$1");
};
