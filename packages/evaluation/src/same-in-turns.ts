import { isJsonObject, type JsonObject, sameJson } from "@capstan/schema";
import { setImmediate as nextTurn } from "node:timers/promises";

/** After so many members of one object others are served. */
const usualPortion = 5_000;

/** Levels of an object that are looked through for what is wide: `metadata.managedFields[0].fieldsV1.f:data`. */
const depth = 7;

const sameMembers = async (left: JsonObject, right: JsonObject, options: Options): Promise<boolean> => {
  const { portion } = options;
  const names = Object.keys(left);
  const isWide = names.length > portion;
  if (isWide) await nextTurn();
  const rightNames = Object.keys(right);
  let others = 0;
  for (let from = 0; from < rightNames.length; from += portion) {
    if (isWide) await nextTurn();
    for (const name of rightNames.slice(from, from + portion)) others += Number(right[name] !== undefined);
  }
  for (let from = 0; from < names.length; from += portion) {
    if (isWide) await nextTurn();
    for (const name of names.slice(from, from + portion)) {
      const member = left[name];
      if (member === undefined) continue;
      if (!Object.hasOwn(right, name)) return false;
      const isSame =
        typeof member === "object" ? await same(member, right[name], options) : sameJson(member, right[name]);
      if (!isSame) return false;
      others -= 1;
    }
  }
  return others === 0;
};

interface Options {
  readonly depth: number;
  readonly portion: number;
}

const sameItems = async (left: readonly unknown[], right: readonly unknown[], options: Options): Promise<boolean> => {
  for (const [index, item] of left.entries()) {
    if (!(await same(item, right[index], options))) return false;
  }
  return true;
};

const same = async (left: unknown, right: unknown, { depth: rest, portion }: Options): Promise<boolean> => {
  if (left === right || rest === 0) return sameJson(left, right);
  const options = { depth: rest - 1, portion };
  if (isJsonObject(left) && isJsonObject(right)) return sameMembers(left, right, options);
  const isList = Array.isArray(left) && Array.isArray(right) && left.length === right.length;
  return isList && left.length < portion ? sameItems(left, right, options) : sameJson(left, right);
};

/** As `sameJson`; while wide objects are compared, others are served. `portion`: members after which they are. */
export const sameInTurns = async (left: unknown, right: unknown, portion = usualPortion): Promise<boolean> =>
  same(left, right, { depth, portion });
