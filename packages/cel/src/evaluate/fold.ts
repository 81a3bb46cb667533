import type { FoldOperation } from "../syntax/ast.ts";
import type { Value } from "../values/value.ts";
import { Failure, noSuchOverload } from "../values/failure.ts";
import { CelList, CelMap, plainKey, ValueList, ValueMap } from "../values/value.ts";
import { isAbsorbable } from "./frame.ts";
import type { Frame, Step } from "./frame.ts";

interface FoldParts {
  readonly range: Step;
  /** One slot: element or key. Two: index or key, and value. */
  readonly slots: readonly number[];
  readonly predicate: Step | undefined;
  readonly transform: Step | undefined;
}

/** Cost of every element, in addition to what is done with it. */
const foldStepCost = 3;

/** Sets the variables for each element in turn; `visit` returns true to stop. */
const walk = (frame: Frame, { range, slots }: FoldParts, visit: (key: Value) => boolean): void => {
  const container = range(frame);
  const [first, second] = slots as [number, number | undefined];
  if (container instanceof CelList) {
    for (let index = 0; index < container.size; index++) {
      frame.charge(foldStepCost);
      const key = BigInt(index);
      frame.slots[second ?? first] = container.get(index);
      if (second !== undefined) frame.slots[first] = key;
      if (visit(key)) return;
    }
  } else if (container instanceof CelMap) {
    for (const key of container.keys()) {
      frame.charge(foldStepCost);
      frame.slots[first] = key;
      if (second !== undefined) frame.slots[second] = container.get(key) as Value;
      if (visit(key)) return;
    }
  } else throw noSuchOverload();
};

const asBool = (value: Value): boolean => {
  if (typeof value !== "boolean") throw noSuchOverload();
  return value;
};

/** `all` and `exists`: stops at `decisive`; failures count only if nothing decides. */
const quantifier =
  (parts: FoldParts, decisive: boolean): Step =>
  (frame) => {
    let failure: unknown;
    let decided = false;
    walk(frame, parts, () => {
      try {
        decided = asBool(parts.predicate!(frame)) === decisive;
      } catch (error) {
        if (!isAbsorbable(error)) throw error;
        failure ??= error;
      }
      return decided;
    });
    if (decided) return decisive;
    if (failure !== undefined) throw failure;
    return !decisive;
  };

const existsOne =
  (parts: FoldParts): Step =>
  (frame) => {
    let count = 0;
    walk(frame, parts, () => {
      if (asBool(parts.predicate!(frame))) count++;
      return false;
    });
    return count === 1;
  };

/** Calls `keep` for every element that passes the predicate, if there is one. */
const collect = (frame: Frame, parts: FoldParts, keep: (key: Value) => void): void =>
  walk(frame, parts, (key) => {
    if (parts.predicate === undefined || asBool(parts.predicate(frame))) {
      frame.charge(10);
      keep(key);
    }
    return false;
  });

const toList =
  (parts: FoldParts): Step =>
  (frame) => {
    const values: Value[] = [];
    const take = parts.transform ?? ((current: Frame) => current.slots[parts.slots[0]!] as Value);
    collect(frame, parts, () => values.push(take(frame)));
    return new ValueList(values);
  };

const toMap =
  (parts: FoldParts): Step =>
  (frame) => {
    const entries: [Value, Value][] = [];
    collect(frame, parts, (key) => entries.push([key, parts.transform!(frame)]));
    return new ValueMap(entries);
  };

/** Each element gives a map; their entries are united, and no key may come twice. */
const toMapEntries =
  (parts: FoldParts): Step =>
  (frame) => {
    const entries = new Map<unknown, [Value, Value]>();
    collect(frame, parts, () => {
      const part = parts.transform!(frame);
      if (!(part instanceof CelMap)) throw noSuchOverload();
      for (const key of part.keys()) {
        frame.charge(1);
        if (entries.has(plainKey(key))) {
          throw new Failure(`insert failed: key '${String(plainKey(key))}' already exists`);
        }
        entries.set(plainKey(key), [key, part.get(key) as Value]);
      }
    });
    return new ValueMap(entries.values());
  };

/** A comprehension macro as one loop. */
export const planFold = (operation: FoldOperation, parts: FoldParts): Step => {
  switch (operation) {
    case "all":
      return quantifier(parts, false);
    case "exists":
      return quantifier(parts, true);
    case "existsOne":
      return existsOne(parts);
    case "map":
    case "filter":
    case "transformList":
      return toList(parts);
    case "transformMap":
      return toMap(parts);
    case "transformMapEntry":
      return toMapEntries(parts);
  }
};
