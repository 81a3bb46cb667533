import { isCapstanError } from "@capstan/contract";
import type { Condition, ConditionInput, DeprecatedCondition } from "@capstan/contract/wire";
import { ConditionReason, setCondition, setDeprecatedCondition } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { withStatus } from "./replaced.ts";

interface ConditionedStatus {
  readonly conditions?: readonly Condition[];
  readonly deprecated?: { readonly v1beta1?: { readonly conditions?: readonly DeprecatedCondition[] } };
}

const statusOf = (object: KubeObject): ConditionedStatus => object["status"] ?? {};

/** One condition of an object of ours. */
export const findCondition = (object: KubeObject, type: string): Condition | undefined => {
  // No closure: this is asked about ten thousand Machines, several times a second.
  for (const condition of statusOf(object).conditions ?? []) if (condition.type === type) return condition;
  return undefined;
};

export const isConditionTrue = (object: KubeObject, type: string): boolean =>
  findCondition(object, type)?.status === "True";

/** The object with conditions set; those of other writers stay as they are. `now` in milliseconds. */
export const withConditions = <T extends KubeObject>(object: T, inputs: readonly ConditionInput[], now: number): T => {
  const { generation } = object.metadata;
  const at = { now, ...(generation === undefined ? {} : { observedGeneration: generation }) };
  const before = statusOf(object).conditions ?? [];
  const conditions = inputs.reduce((list, input) => setCondition(list, input, at), before);
  return withStatus(object as KubeObject & { readonly status?: ConditionedStatus }, { conditions }) as unknown as T;
};

/** The object without conditions of these types, in both generations. */
export const withoutConditions = <T extends KubeObject>(object: T, types: readonly string[]): T => {
  const { conditions = [], deprecated } = statusOf(object);
  const isKept = ({ type }: { readonly type: string }): boolean => !types.includes(type);
  const older = deprecated?.v1beta1?.conditions ?? [];
  const change = {
    ...(conditions.every(isKept) ? {} : { conditions: conditions.filter(isKept) }),
    ...(older.every(isKept)
      ? {}
      : { deprecated: { ...deprecated, v1beta1: { ...deprecated?.v1beta1, conditions: older.filter(isKept) } } }),
  };
  return withStatus(object as KubeObject & { readonly status?: ConditionedStatus }, change) as unknown as T;
};

/**
 * The object with `status.deprecated.v1beta1` brought up to date: conditions of `v1beta1`, and the counters
 * and failures that its readers expect.
 */
export const withDeprecated = <T extends KubeObject>(
  object: T,
  inputs: readonly ConditionInput[],
  fields: Readonly<Record<string, unknown>>,
  now: number,
): T => {
  const status = statusOf(object);
  const before = status.deprecated?.v1beta1?.conditions ?? [];
  const conditions = inputs.reduce((list, input) => setDeprecatedCondition(list, input, { now }), before);
  const v1beta1 = { ...status.deprecated?.v1beta1, ...fields, conditions };
  const deprecated = { ...status.deprecated, v1beta1 };
  return withStatus(object as KubeObject & { readonly status?: ConditionedStatus }, { deprecated }) as unknown as T;
};

/** Said in a condition whose inputs could not be read. Only errors of ours are repeated; of others the log has the cause. */
export const internalError = (type: string, error?: unknown): ConditionInput => ({
  type,
  status: "Unknown",
  reason: ConditionReason.internalError,
  message: isCapstanError(error) ? error.message : "Please check controller logs for errors",
});

/** A condition that `read` takes out of an object of a provider's, or what is wrong with that object. */
export const readFrom = (type: string, read: () => ConditionInput): ConditionInput => {
  try {
    return read();
  } catch (error) {
    return internalError(type, error);
  }
};
