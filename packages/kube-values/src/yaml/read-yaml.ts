import { constructFromEvents, type Event, EVENT_ID, parseEvents, type Schema, YAMLException } from "js-yaml";
import { goSchema, jsonSchema, schema11, textSchema } from "./yaml-schema.ts";

/**
 * Limits on the size of one text: a text within them is read in linear time and little memory, whatever it contains.
 */
export interface YamlLimits {
  /** Line breaks and characters that may begin or separate values. Default: 20,000. */
  readonly marks?: number;
}

export interface YamlDocument {
  /** As in JSON; integers that a number cannot hold are a bigint, and what aliases name stands at several places. */
  readonly value: unknown;
  /** Line of the first value, from 1. */
  readonly line: number;
}

/** A text that cannot be read; the message has no line. */
export class YamlError extends Error {
  /** From 1; `undefined` when it is about the text as a whole. */
  readonly line: number | undefined;

  constructor(message: string, line: number | undefined, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "YamlError";
    this.line = line;
  }
}

/** So many are read within 50 ms, even by a process that has read nothing yet. */
const maximumMarks = 20_000;
const maximumDepth = 200;
const maximumAliases = 100;
/** Lower limit, in characters, for the text that aliases may expand to. */
const leastCharacters = 3 * 2 ** 20;

const isSpace = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;

/** No text has more values than twice this number. Also counts what stands inside of texts: what is a text shows only when it is read. */
const countMarks = (text: string): number => {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    switch (text.charCodeAt(index)) {
      case 0x0a: // line feed
      case 0x0d: // carriage return
      case 0x2c: // ,
      case 0x3a: // :
      case 0x5b: // [
      case 0x7b: // {
        count++;
        break;
      case 0x2d: // -
      case 0x3f: // ?
        if (index + 1 === text.length || isSpace(text.charCodeAt(index + 1))) count++;
        break;
      default:
    }
  }
  return count;
};

/** Returns whether the default limits suffice for a text: it is read within 50 ms then. */
export const isShortYaml = (text: string): boolean => text.length <= maximumMarks || countMarks(text) <= maximumMarks;

/** Throws when aliases have made too much, or a circle, of the text; and for numbers that JSON does not have. */
const checkValues = (documents: readonly unknown[], text: string, marks: number): void => {
  let values = 2 * marks;
  let characters = Math.max(text.length, leastCharacters);
  const visit = (value: unknown, depth: number): void => {
    values--;
    if (typeof value === "string") {
      characters -= value.length;
    } else if (typeof value === "number") {
      if (!Number.isFinite(value)) throw new YamlError(`the number ${value} cannot be kept`, undefined);
    } else if (typeof value === "object" && value !== null) {
      if (depth > maximumDepth) {
        throw new YamlError(`values are nested more than ${maximumDepth} levels deep`, undefined);
      }
      for (const name of Object.keys(value)) {
        if (!Array.isArray(value)) characters -= name.length;
        visit((value as Record<string, unknown>)[name], depth + 1);
      }
    }
    if (values < 0 || characters < 0) throw new YamlError("aliases make too much of it", undefined);
  };
  for (const document of documents) visit(document, 0);
};

const positionOf = (event: Event): number => {
  if (event.type === EVENT_ID.SCALAR) return event.valueStart;
  return event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.MAPPING ? event.start : -1;
};

/** The lines on which the first value of each document begins. */
const firstLines = (text: string, events: readonly Event[]): readonly number[] => {
  let at = 0;
  let line = 1;
  return events.flatMap((event, index) => {
    if (event.type !== EVENT_ID.DOCUMENT) return [];
    for (const position = positionOf(events[index + 1] as Event); at < position; at++) {
      if (text.charCodeAt(at) === 0x0a) line++;
    }
    return [line];
  });
};

/** `json`: of a key that stands twice in a mapping the last counts. */
const readWith = (
  text: string,
  schema: Schema,
  { marks = maximumMarks }: YamlLimits,
  { json = false } = {},
): readonly YamlDocument[] => {
  if (text.length > marks && countMarks(text) > marks) {
    throw new YamlError(`it has more than ${marks} lines and separators; JSON may have more`, undefined);
  }
  try {
    const events = parseEvents(text, { maxDepth: maximumDepth });
    const values = constructFromEvents(events, { source: text, schema, maxAliases: maximumAliases, json });
    checkValues(values, text, Math.max(marks, 1));
    const lines = firstLines(text, events);
    return values.map((value, index) => ({ value, line: lines[index] ?? 1 }));
  } catch (error) {
    if (error instanceof YAMLException) {
      throw new YamlError(error.reason, error.mark === undefined ? undefined : error.mark.line + 1, error);
    }
    throw error;
  }
};

/** Reads the documents of a text: YAML 1.2, with merge keys. Throws a `YamlError`. */
export const readYaml = (text: string, limits: YamlLimits = {}): readonly YamlDocument[] =>
  readWith(text, jsonSchema, limits);

const onlyOne = (documents: readonly YamlDocument[]): unknown => {
  if (documents.length > 1) throw new YamlError("it holds more than one document", documents[1]?.line);
  return documents[0]?.value;
};

/** The value of a text that holds one document; `undefined` when it holds none. Throws a `YamlError`. */
export const readYamlValue = (text: string, limits: YamlLimits = {}): unknown => onlyOne(readYaml(text, limits));

/** Stands for nothing, at the end of a text. */
const endMark = "\uE000";

/** The value without the mark where it ends a block; `undefined` where no block ends with it. */
const withoutMark = (value: unknown): unknown => {
  if (typeof value === "string") return value.endsWith(`${endMark}\n`) ? value.slice(0, -2) : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  const [name, last] = Object.entries(value).at(-1) ?? ["", undefined];
  const unmarked = withoutMark(last);
  if (unmarked === undefined) return undefined;
  return Array.isArray(value) ? [...value.slice(0, -1), unmarked] : { ...value, [name]: unmarked };
};

/** A block at the end of a text that has no line feed there has none either; `undefined`: there is no such block. */
const readOpenBlock = (text: string, schema: Schema, limits: YamlLimits): unknown => {
  if (text.endsWith("\n") || text.includes(endMark)) return undefined;
  try {
    return withoutMark(onlyOne(readWith(`${text}${endMark}`, schema, limits, { json: true })));
  } catch {
    return undefined;
  }
};

/**
 * The same of a text in YAML 1.1, as programs in Python read it: `yes` is true there, `0600` is octal, the last of a key that stands twice
 * counts, and a block that the text ends in has no line feed that is not there.
 */
export const readYaml11Value = (text: string, limits: YamlLimits = {}): unknown =>
  readOpenBlock(text, schema11, limits) ?? onlyOne(readWith(text, schema11, limits, { json: true }));

/** The first value of a text as Go's `sigs.k8s.io/yaml` reads it; the last of a key that stands twice counts. */
export const readGoYamlValue = (text: string, limits: YamlLimits = {}): unknown =>
  readOpenBlock(text, goSchema, limits) ?? readWith(text, goSchema, limits, { json: true })[0]?.value;

/** The same with all scalars as texts, as they stand there: `0600` and `true` as well. */
export const readYamlTexts = (text: string, limits: YamlLimits = {}): unknown =>
  onlyOne(readWith(text, textSchema, limits));
