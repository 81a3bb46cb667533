import { parseJson } from "@capstan/schema/structural";
import { badRequest } from "../model/status-error.ts";

const maximumDepth = 1_000;
const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

/** A decoded request body. */
export interface DecodedBody {
  readonly value: unknown;
  /** Paths of members that stand more than once, for example `spec.size`; the last one won. */
  readonly duplicates: readonly string[];
}

/** Index just behind the string literal that starts at `start`. */
const endOfString = (text: string, start: number): number => {
  let end = text.indexOf('"', start + 1);
  for (;;) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) {
      escapes++;
    }
    if (escapes % 2 === 0) {
      return end + 1;
    }
    end = text.indexOf('"', end + 1);
  }
};

/** Number of object members as written, duplicates included. `text` is valid JSON. */
const writtenMembers = (text: string): number => {
  let count = 0;
  for (let index = 0; index < text.length;) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      index = endOfString(text, index);
    } else {
      count += Number(code === colon);
      index++;
    }
  }
  return count;
};

/** Number of object members of a value. Throws a 400 when it is nested too deeply or holds a number that has become infinite. */
const keptMembers = (value: unknown, depth = 0): number => {
  if (typeof value !== "object" || value === null) {
    if (value === Infinity || value === -Infinity) {
      throw badRequest("the body holds a number that is too large");
    }
    return 0;
  }
  if (depth > maximumDepth) {
    throw badRequest(`the body is nested more than ${maximumDepth} levels deep`);
  }
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) {
      count += keptMembers(item, depth + 1);
    }
    return count;
  }
  for (const key of Object.keys(value)) {
    count += 1 + keptMembers((value as Record<string, unknown>)[key], depth + 1);
  }
  return count;
};

/** Walks valid JSON text and collects the paths of repeated members. */
const duplicatePaths = (text: string): readonly string[] => {
  const found = new Set<string>();
  let index = 0;
  const skipSpace = (): void => {
    while (/[\s,:]/.test(text[index] ?? "")) {
      index++;
    }
  };
  const readString = (): string => {
    const end = endOfString(text, index);
    const literal = text.slice(index, end);
    index = end;
    return JSON.parse(literal) as string;
  };
  const walkObject = (path: string): void => {
    const seen = new Set<string>();
    for (index++, skipSpace(); text[index] !== "}"; skipSpace()) {
      const key = readString();
      const member = path === "" ? key : `${path}.${key}`;
      if (seen.has(key)) {
        found.add(member);
      }
      seen.add(key);
      skipSpace();
      walk(member);
    }
    index++;
  };
  const walkArray = (path: string): void => {
    let position = 0;
    for (index++, skipSpace(); text[index] !== "]"; skipSpace()) {
      walk(`${path}[${position++}]`);
    }
    index++;
  };
  const walk = (path: string): void => {
    skipSpace();
    const first = text[index];
    if (first === "{") {
      walkObject(path);
    } else if (first === "[") {
      walkArray(path);
    } else if (first === '"') {
      index = endOfString(text, index);
    } else {
      index += /^[^\s,\]}]+/.exec(text.slice(index, index + 400))?.[0].length ?? 1;
    }
  };
  walk("");
  return [...found];
};

/** Parses JSON as Kubernetes does: repeated members are noticed, nesting is limited. Throws a 400. */
export const parseJsonText = (text: string): DecodedBody => {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw badRequest(`the body is not valid JSON: ${(error as Error).message}`, error);
  }
  const kept = keptMembers(value);
  return { value, duplicates: kept === writtenMembers(text) ? [] : duplicatePaths(text) };
};
