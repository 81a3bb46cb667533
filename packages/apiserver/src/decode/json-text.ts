import { setImmediate as nextTurn } from "node:timers/promises";
import { endOfString, parseInTurns, parseJson, shortJson } from "@capstan/schema/structural";
import { type JsonPath, mayHoldDecimals, writtenForms } from "./written-forms.ts";
import { badRequest, requestTooLarge, type StatusError } from "../model/status-error.ts";

const maximumDepth = 1_000;
/** Maximum number of values in one body: each costs some microseconds to process. Large definitions have 30,000. */
const maximumValues = 100_000;
/** Maximum number of values in the result of a patch, which includes the managed fields. */
export const maximumPatched = 300_000;
const quote = 0x22;
const colon = 0x3a;
const comma = 0x2c;

const tooManyValues = (): StatusError =>
  requestTooLarge(`it may have at most ${maximumValues} members and items of lists`);

/** A decoded request body. */
export interface DecodedBody {
  readonly value: unknown;
  /** Paths of members that stand more than once, for example `spec.size`; the last one won. */
  readonly duplicates: readonly string[];
  /** Paths of whole numbers that are written with a point or an exponent, such as `2.0`. Default: none, as in YAML, which writes them again. */
  readonly decimals?: readonly JsonPath[];
  /** Each step of the work on it takes some ten milliseconds. Default: false. */
  readonly isLarge?: boolean;
  /** The JSON of the value, where it is long. */
  readonly text?: string;
}

/** Number of object members as written, duplicates included. Throws a 413 for more values than are read. */
const writtenMembers = (text: string): number => {
  let members = 0;
  let separators = 0;
  for (let index = 0; index < text.length;) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      index = endOfString(text, index);
    } else {
      members += Number(code === colon);
      separators += Number(code === comma);
      index++;
    }
  }
  if (Math.max(members, separators) > maximumValues) {
    throw tooManyValues();
  }
  return members;
};

interface Count {
  /** Members of objects. */
  members: number;
  /** Members, and items of lists. */
  values: number;
}

const countInto = (count: Count, value: unknown, depth: number, most: number): void => {
  if (typeof value !== "object" || value === null) {
    if (value === Infinity || value === -Infinity) {
      throw badRequest("it holds a number that is too large");
    }
    return;
  }
  if (depth > maximumDepth) {
    throw badRequest(`it is nested more than ${maximumDepth} levels deep`);
  }
  const isList = Array.isArray(value);
  const names = isList ? undefined : Object.keys(value);
  const length = isList ? value.length : (names as readonly string[]).length;
  count.values += length;
  count.members += isList ? 0 : length;
  if (count.values > most) {
    throw tooManyValues();
  }
  for (let index = 0; index < length; index++) {
    const name = names?.[index];
    const child: unknown = name === undefined ? value[index as never] : value[name as never];
    countInto(count, child, depth + 1, most);
  }
};

/**
 * Checks what a body, or the outcome of a patch, holds and answers the number of its members. Throws a 413 for too many values, a 400 for too deep nesting and for
 * numbers that have become infinite.
 */
export const checkValues = (value: unknown, most = maximumValues): number => {
  const count: Count = { members: 0, values: 0 };
  countInto(count, value, 0, most);
  return count.members;
};

const notJson = (error: unknown): StatusError =>
  badRequest(`the body is not valid JSON: ${(error as Error).message}`, error);

const bodyOf = (text: string, value: unknown, written: number): DecodedBody => {
  const kept = checkValues(value);
  return kept === written && !mayHoldDecimals(text) ? { value, duplicates: [] } : { value, ...writtenForms(text) };
};

/** Parses JSON as Kubernetes does: repeated members are noticed, nesting and number are limited. Throws a 400 or 413. */
export const parseJsonText = (text: string): DecodedBody => {
  // Before it is parsed, which takes long for an object with very many members.
  const written = writtenMembers(text);
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw notJson(error);
  }
  return bodyOf(text, value, written);
};

/** As `parseJsonText`; while a long text is parsed, others are served. */
export const readJsonText = async (text: string): Promise<DecodedBody> => {
  if (text.length <= shortJson) return parseJsonText(text);
  const written = writtenMembers(text);
  await nextTurn();
  let value: unknown;
  try {
    value = await parseInTurns(text);
  } catch (error) {
    throw notJson(error);
  }
  await nextTurn();
  return { ...bodyOf(text, value, written), text };
};
