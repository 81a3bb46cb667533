import { isJsonObject, sameJson } from "@capstan/schema";

/** Context of a conversion. */
export interface ConversionContext {
  readonly namespace: string | undefined;
  /** The API version of a kind, such as `infrastructure.example.io/v1`; references of v1beta2 do not say it. Throws when unknown. */
  readonly apiVersionOf: (group: string, kind: string) => string;
}

type Step = (value: unknown, context: ConversionContext) => unknown;

/** Conversion of a part of an object between two versions. `undefined` is an absent part. */
export interface Shape {
  /** From the older to the newer version. */
  readonly up: Step;
  readonly down: Step;
}

/** A field in the older version, in the newer one, and its shape; paths are names joined by dots. */
export type Move = readonly [older: string, newer: string, shape?: Shape];

export const same: Shape = { up: (value) => value, down: (value) => value };

/** The items of a list. */
export const each = (item: Shape): Shape => {
  const step =
    (way: "up" | "down"): Step =>
    (value, context) =>
      Array.isArray(value) ? value.map((entry: unknown) => item[way](entry, context)) : value;
  return { up: step("up"), down: step("down") };
};

/** Takes a member out; parents that it leaves empty go too. */
const take = (target: Record<string, unknown>, [name = "", ...rest]: readonly string[]): unknown => {
  const value = target[name];
  if (rest.length === 0) {
    delete target[name];
    return value;
  }
  if (!isJsonObject(value)) return undefined;
  const inner = { ...value };
  const taken = take(inner, rest);
  if (taken === undefined) return undefined;
  if (Object.keys(inner).length === 0) delete target[name];
  else target[name] = inner;
  return taken;
};

const put = (target: Record<string, unknown>, [name = "", ...rest]: readonly string[], value: unknown): void => {
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const inner = isJsonObject(target[name]) ? { ...target[name] } : {};
  put(inner, rest, value);
  target[name] = inner;
};

interface Passage {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly step: Step;
}

const fieldsStep = (passages: readonly Passage[], dropped: readonly string[]): Step => {
  const inwards = passages.toSorted((a, b) => b.from.length - a.from.length);
  return (value, context) => {
    if (!isJsonObject(value)) return value;
    const target = { ...value };
    for (const path of dropped) take(target, path.split("."));
    const moved = inwards.map(({ from, to, step }) => ({ to, value: step(take(target, from), context) }));
    const outwards = moved.toSorted((a, b) => a.to.length - b.to.length);
    for (const move of outwards) if (move.value !== undefined) put(target, move.to, move.value);
    return target;
  };
};

/** Returns whether Go leaves a field out that is marked to be omitted when empty. */
const isEmpty = (value: unknown): boolean => value === false || (Array.isArray(value) && value.length === 0);

/** Takes a field out where `isGone` says so. */
const omit = (
  target: Record<string, unknown>,
  [name = "", ...rest]: readonly string[],
  isGone: (value: unknown) => boolean,
): void => {
  const value = target[name];
  if (rest.length === 0) {
    if (isGone(value)) delete target[name];
  } else if (isJsonObject(value)) {
    const inner = { ...value };
    omit(inner, rest, isGone);
    target[name] = inner;
  }
};

/** Puts a field where its parent is there and has none. */
const complete = (target: Record<string, unknown>, [name = "", ...rest]: readonly string[], value: unknown): void => {
  if (rest.length === 0) {
    target[name] ??= value;
  } else if (isJsonObject(target[name])) {
    const inner = { ...target[name] };
    complete(inner, rest, value);
    target[name] = inner;
  }
};

/** The older version of an object as Go programs serialize it. */
interface GoForm {
  /** Fields that are left out when they are false or an empty list. */
  readonly omits?: readonly string[];
  /** Fields that are there in any case, and what they are then; those that others are in come first. */
  readonly zeros?: Readonly<Record<string, unknown>>;
}

const changed = (value: unknown, change: (target: Record<string, unknown>) => void): unknown => {
  if (!isJsonObject(value)) return value;
  const target = { ...value };
  change(target);
  return target;
};

/** Written down as programs in Go do, and read as they mean it. */
const inGoForm = ({ omits = [], zeros = {} }: GoForm, shape: Shape): Shape => {
  const missing = Object.entries(zeros).map(([path, zero]) => ({ path: path.split("."), zero }));
  const empties = omits.map((path) => path.split("."));
  if (empties.length + missing.length === 0) return shape;
  const write = (target: Record<string, unknown>): void => {
    for (const path of empties) omit(target, path, isEmpty);
    for (const { path, zero } of missing) complete(target, path, zero);
  };
  const read = (target: Record<string, unknown>): void => {
    for (const path of empties) omit(target, path, isEmpty);
    for (const { path, zero } of missing.toReversed()) omit(target, path, (value) => sameJson(value, zero));
  };
  return {
    up: (value, context) => shape.up(changed(value, read), context),
    down: (value, context) => changed(shape.down(value, context), write),
  };
};

/**
 * An object: fields that move or change. Fields that only one version has are named as such; all others are the same in both. The
 * older version is written as `omits` and `zeros` say.
 */
export const fields = (
  moves: readonly Move[],
  {
    newer: dropped = [],
    older: gone = [],
    ...go
  }: { readonly older?: readonly string[]; readonly newer?: readonly string[] } & GoForm = {},
): Shape => {
  const passages = moves.map(([older, newer, shape = same]) => ({
    older: older.split("."),
    newer: newer.split("."),
    shape,
  }));
  const up = passages.map(({ older, newer, shape }) => ({ from: older, to: newer, step: shape.up }));
  const down = passages.map(({ older, newer, shape }) => ({ from: newer, to: older, step: shape.down }));
  return inGoForm(go, { up: fieldsStep(up, gone), down: fieldsStep(down, dropped) });
};
