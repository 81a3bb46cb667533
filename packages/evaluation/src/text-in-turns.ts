import { isJsonObject, type JsonObject } from "@capstan/schema";
import { jsonText } from "@capstan/schema/structural";
import { setImmediate as nextTurn } from "node:timers/promises";

/** After a part of so many characters others are served. */
const usualPortion = 2 ** 16;

/** Parts that a value is divided into: those that have more members are written in lumps of members, which the engine does fast. */
const mostParts = 1_000;

/** Remaining work on one value. */
interface Rest {
  readonly portion: number;
  parts: number;
}

/** Members of the first lump; the others are as long as fits the characters of it. */
const firstLump = 500;
const [leastLump, mostLump] = [1, 20_000];
const charactersOfLump = 2 ** 16;

/** The members of what is wide, a lump after the other; others are served between them. `lumpOf`: of members from one to another. */
const inLumps = async (count: number, lumpOf: (from: number, to: number) => string): Promise<string> => {
  const lumps: string[] = [];
  let size = firstLump;
  for (let from = 0; from < count; from += size) {
    if (from > 0) {
      await nextTurn();
      const last = lumps.at(-1)?.length ?? 1;
      size = Math.min(mostLump, Math.max(leastLump, Math.floor((size * charactersOfLump) / (last + 1))));
    }
    lumps.push(lumpOf(from, from + size));
  }
  return lumps.filter((lump) => lump !== "").join(",");
};

const listInLumps = async (list: readonly unknown[]): Promise<string> => {
  const items = await inLumps(list.length, (from, to) => jsonText(list.slice(from, to)).slice(1, -1));
  return `[${items}]`;
};

const objectInLumps = async (object: JsonObject, names: readonly string[]): Promise<string> => {
  const members = await inLumps(names.length, (from, to) => {
    const lump = Object.create(null) as Record<string, unknown>;
    for (const name of names.slice(from, to)) lump[name] = object[name];
    return jsonText(lump).slice(1, -1);
  });
  return `{${members}}`;
};

const written = async (value: unknown, depth: number, rest: Rest): Promise<string> => {
  const isList = Array.isArray(value);
  if (depth === 0 || (!isList && !isJsonObject(value))) return jsonText(value) ?? "null";
  const names = Object.keys(value);
  if (names.length > rest.parts) return isList ? listInLumps(value) : objectInLumps(value, names);
  rest.parts -= names.length;
  const parts: string[] = [];
  for (const name of names) {
    const member: unknown = value[name as never];
    if (member === undefined && !isList) continue;
    const text = await written(member, depth - 1, rest);
    parts.push(isList ? text : `${JSON.stringify(name)}:${text}`);
    if (text.length >= rest.portion) await nextTurn();
  }
  return isList ? `[${parts.join(",")}]` : `{${parts.join(",")}}`;
};

/** Levels of an object that are looked through for what is large: `metadata.managedFields[0]`. */
const depth = 3;

/**
 * JSON text as `jsonText` writes it; others are served between its parts. `portion`: characters of a part after which they are.
 */
export const textInTurns = async (value: unknown, portion = usualPortion): Promise<string> =>
  written(value, depth, { portion, parts: mostParts });
