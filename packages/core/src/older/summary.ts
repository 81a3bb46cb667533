import { isCapstanError } from "@capstan/contract";
import type { ConditionInput, DeprecatedCondition } from "@capstan/contract/wire";
import { deprecatedConditionOf } from "@capstan/contract/wire";
import { byText } from "@capstan/kube-values";
import { type KubeObject, own } from "@capstan/schema";

/** Fields of a `v1beta1` condition that count when several are merged into one. */
export type OlderCondition = Pick<DeprecatedCondition, "type" | "status" | "severity" | "reason" | "message">;

const severities: Readonly<Record<string, number>> = { Error: 0, Warning: 1, Info: 2 };

/**
 * Returns the weight of a condition in a merge. A False without a severity weighs least, because it comes from the
 * newer generation.
 */
const weightOf = ({ status, severity }: OlderCondition): number => {
  if (status === "True") return 3;
  if (status === "Unknown") return 4;
  return own(severities, severity ?? "") ?? 5;
};

/** Those that weigh most. */
const heaviest = <T extends OlderCondition>(conditions: readonly T[]): readonly T[] => {
  const top = Math.min(...conditions.map(weightOf));
  return conditions.filter((condition) => weightOf(condition) === top);
};

const completed = (conditions: readonly OlderCondition[], of: number): string =>
  `${conditions.filter(({ status }) => status === "True").length} of ${of} completed`;

/** A condition of `v1beta1` as it stands, under a type. Reasons and messages that say nothing are left out. */
const asItStands = (type: string, { status, severity, reason = "", message = "" }: OlderCondition): ConditionInput => ({
  type,
  status,
  reason,
  mirrors: {
    type,
    status,
    ...(severity !== undefined && { severity }),
    ...(reason !== "" && { reason }),
    ...(message !== "" && { message }),
    lastTransitionTime: "",
  },
});

/** A condition of `v1beta1` that says that something is as it should be. */
export const olderTrue = (type: string): ConditionInput => ({ type, status: "True", reason: "" });

/** One that says what is not, and how bad that is. */
export const olderFalse = (
  type: string,
  severity: NonNullable<OlderCondition["severity"]>,
  reason: string,
  message = "",
): ConditionInput => ({ type, status: "False", severity, reason, message });

/**
 * Ready, out of conditions of `v1beta1`, in the order in which they count: errors before warnings before information, then what
 * is True, then what is unknown. With `steps` the message says how many of them are done. `undefined` where none is reported.
 */
export const olderSummary = (
  conditions: readonly OlderCondition[],
  { steps }: { readonly steps?: number | undefined } = {},
): ConditionInput | undefined => {
  const [first] = heaviest(conditions);
  if (first === undefined) return undefined;
  if (first.status === "True") return olderTrue("Ready");
  return asItStands("Ready", steps === undefined ? first : { ...first, message: completed(conditions, steps) });
};

/**
 * Aggregates the `v1beta1` Ready conditions of several objects; the reason names the first object with the highest
 * weight.
 */
export const olderAggregate = (type: string, objects: readonly KubeObject[]): ConditionInput | undefined => {
  const reported = objects.flatMap(({ kind, metadata: { name = "" }, ...object }) => {
    const ready = deprecatedConditionOf({ kind, metadata: { name }, ...object }, "Ready");
    return ready === undefined ? [] : [{ ...ready, kind, name }];
  });
  const [first] = heaviest(reported).toSorted((a, b) => byText(a.name, b.name));
  if (first === undefined) return undefined;
  if (first.status === "True") return olderTrue(type);
  const { status, severity, reason = "", kind, name } = first;
  return asItStands(type, {
    type,
    status,
    ...(severity !== undefined && { severity }),
    reason: reason.includes("@") ? reason : `${reason} @ ${kind}/${name}`,
    message: completed(reported, objects.length),
  });
};

/** Returns whether a flag of a provider's object is set; what is no flag is not. */
export const isSet = (flag: { readonly get: (object: KubeObject) => unknown }, object: KubeObject): boolean => {
  try {
    return flag.get(object) === true;
  } catch (error) {
    if (isCapstanError(error, "wire.field_invalid")) return false;
    throw error;
  }
};

/** Ready of a provider's object as it stands there; where it has none, whether it has done its work, with the reason of the wait. */
export const olderMirror = (
  type: string,
  object: KubeObject,
  otherwise: { readonly done: boolean; readonly waiting: string },
): ConditionInput => {
  const ready = deprecatedConditionOf(object, "Ready");
  if (ready !== undefined) return asItStands(type, ready);
  return otherwise.done ? olderTrue(type) : olderFalse(type, "Info", otherwise.waiting);
};

/**
 * Returns the conditions that an object of ours will have once the inputs are set; only the named types, in their
 * order.
 */
export const olderAfter = (
  object: KubeObject,
  inputs: readonly ConditionInput[],
  types: readonly string[],
): readonly OlderCondition[] =>
  types.flatMap((type): readonly OlderCondition[] => {
    const input = inputs.find((each) => each.type === type);
    if (input === undefined) {
      const before = deprecatedConditionOf(object, type);
      return before === undefined ? [] : [before];
    }
    if (input.mirrors !== undefined) return [input.mirrors];
    return [
      {
        type,
        status: input.status,
        ...(input.status === "False" && { severity: input.severity ?? "Info" }),
        ...(input.status !== "True" && { reason: input.reason }),
        ...(input.status !== "True" && input.message !== undefined && { message: input.message }),
      },
    ];
  });
