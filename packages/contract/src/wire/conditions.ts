import type { KubeObject } from "@capstan/schema";
import { rfc3339 } from "../clock.ts";
import type { ContractVersion } from "./contract-version.ts";
import { patchAt, record, valueAt } from "./field.ts";
import type { MergePatch } from "../patch/merge-patch.ts";
import { mergePatches } from "../patch/merge-patch.ts";

export type ConditionStatus = "True" | "False" | "Unknown";

/** One entry of `status.conditions`, shape of metav1.Condition. Times are RFC 3339 with whole seconds. */
export interface Condition {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
  readonly observedGeneration?: number;
}

export type Severity = "Error" | "Warning" | "Info";

/** One condition of `v1beta1`: reason only when there is one, severity only when False. */
export interface DeprecatedCondition {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly severity?: Severity;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime: string;
}

/** A condition as a controller states it; the transition time is set when it is written. */
export interface ConditionInput {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message?: string;
  /** Only for `v1beta1`, and only when False. Default there: Info. */
  readonly severity?: Severity;
  /** The condition in `v1beta1`, if its wording differs. */
  readonly deprecated?: { readonly status: ConditionStatus; readonly reason: string; readonly severity?: Severity };
  /** Only for a condition that mirrors another: its time is taken over. */
  readonly lastTransitionTime?: string;
  /** Only for `v1beta1`: another object's condition, which is taken over as it stands there. */
  readonly mirrors?: DeprecatedCondition;
}

/** Condition types and reasons shared by every kind. */
export const ConditionType = {
  ready: "Ready",
  available: "Available",
  paused: "Paused",
  deleting: "Deleting",
  /** On infrastructure machines that learn how bootstrapping ended, and on their Machines. */
  bootstrapSucceeded: "BootstrapSucceeded",
} as const;
export const ConditionReason = {
  ready: "Ready",
  notReady: "NotReady",
  readyUnknown: "ReadyUnknown",
  paused: "Paused",
  notPaused: "NotPaused",
  notReported: "NotYetReported",
  noReason: "NoReasonReported",
  invalid: "InvalidConditionReported",
  /** The subject of the condition could not be read. */
  internalError: "InternalError",
} as const;

/** Where the two generations of conditions are kept in an object of a contract. */
export const conditionPaths = (contract: ContractVersion): { readonly current: string; readonly deprecated: string } =>
  contract === "v1beta2"
    ? { current: "status.conditions", deprecated: "status.deprecated.v1beta1.conditions" }
    : { current: "status.v1beta2.conditions", deprecated: "status.conditions" };

const maxMessage = 32_768;
const maxDeprecatedMessage = 10_240;

/** Reasons are words for programs: what a vendor says is cut down to the characters the API server accepts. */
const wordOf = (reason: string, maxLength: number): string => {
  const word = reason.replaceAll(/[^A-Za-z0-9_]/g, "").slice(0, maxLength);
  return /^[A-Za-z]/.test(word) ? word : ConditionReason.noReason;
};

const transitionTime = (
  before: { readonly status: ConditionStatus; readonly lastTransitionTime: string } | undefined,
  input: ConditionInput,
  now: number,
): string => {
  if (input.lastTransitionTime !== undefined) return input.lastTransitionTime;
  return before?.status === input.status ? before.lastTransitionTime : rfc3339(now);
};

/**
 * The list with one condition set. The time changes only with the status; the same list comes back when nothing changes.
 * `now` in milliseconds.
 */
export const setCondition = (
  conditions: readonly Condition[],
  input: ConditionInput,
  at: { readonly now: number; readonly observedGeneration?: number },
): readonly Condition[] => {
  const before = conditions.find((condition) => condition.type === input.type);
  const next: Condition = {
    type: input.type,
    status: input.status,
    reason: wordOf(input.reason, 1024),
    message: (input.message ?? "").slice(0, maxMessage),
    lastTransitionTime: transitionTime(before, input, at.now),
    ...(at.observedGeneration === undefined ? {} : { observedGeneration: at.observedGeneration }),
  };
  if (before === undefined) return orderConditions([...conditions, next]);
  const same =
    before.status === next.status &&
    before.reason === next.reason &&
    before.message === next.message &&
    before.lastTransitionTime === next.lastTransitionTime &&
    before.observedGeneration === next.observedGeneration;
  return same ? conditions : conditions.map((condition) => (condition === before ? next : condition));
};

/** Returns the `v1beta1` form of an input. */
const asDeprecated = (input: ConditionInput): Omit<DeprecatedCondition, "lastTransitionTime"> => ({
  type: input.type,
  status: input.status,
  ...(input.status === "False" ? { severity: input.severity ?? "Info" } : {}),
  ...(input.status === "True" ? {} : { reason: wordOf(input.reason, 256) }),
  ...(input.status === "True" || (input.message ?? "") === ""
    ? {}
    : { message: input.message?.slice(0, maxDeprecatedMessage) ?? "" }),
});

/**
 * A condition of `v1beta1` of a provider's object, as it stands: from where `v1beta1` is kept, or else from where
 * its other conditions are. `undefined` when there is none that can be read.
 */
export const deprecatedConditionOf = (object: KubeObject, type: string): DeprecatedCondition | undefined => {
  const lists = [conditionPaths("v1beta2").deprecated, conditionPaths("v1beta2").current];
  const list = lists.map((path) => valueAt(object, path)).find((value) => value !== undefined);
  const found = Array.isArray(list) ? list.map(record).find((each) => each?.["type"] === type) : undefined;
  if (found === undefined || !isStatus(found["status"])) return undefined;
  const { status, severity, reason, message, lastTransitionTime } = found;
  return {
    type,
    status,
    ...(isSeverity(severity) && { severity }),
    ...(isText(reason) && { reason: reason.slice(0, 256) }),
    ...(isText(message) && { message: message.slice(0, maxDeprecatedMessage) }),
    lastTransitionTime: isText(lastTransitionTime) ? lastTransitionTime : "1970-01-01T00:00:00Z",
  };
};

/** As `setCondition`, for `v1beta1`. */
export const setDeprecatedCondition = (
  conditions: readonly DeprecatedCondition[],
  { deprecated, ...common }: ConditionInput,
  at: { readonly now: number },
): readonly DeprecatedCondition[] => {
  const input: ConditionInput = { ...common, ...deprecated };
  const before = conditions.find((condition) => condition.type === input.type);
  const said: Partial<DeprecatedCondition> & Pick<DeprecatedCondition, "status"> = input.mirrors ?? asDeprecated(input);
  const next: DeprecatedCondition = {
    ...said,
    type: input.type,
    lastTransitionTime: transitionTime(before, input, at.now),
  };
  if (before === undefined) {
    return [...conditions, next].toSorted((a, b) => Number(b.type === "Ready") - Number(a.type === "Ready"));
  }
  const same =
    before.status === next.status &&
    before.severity === next.severity &&
    before.reason === next.reason &&
    before.message === next.message;
  return same ? conditions : conditions.map((condition) => (condition === before ? next : condition));
};

const leading = [
  "Available",
  "Ready",
  "UpToDate",
  "RemoteConnectionProbe",
  "BootstrapConfigReady",
  "InfrastructureReady",
  "BootstrapSucceeded",
  "ControlPlaneInitialized",
];
const trailing = ["Paused", "Deleting"];

const position = (type: string): number => {
  const first = leading.indexOf(type);
  if (first !== -1) return first;
  const last = trailing.indexOf(type);
  return last === -1 ? leading.length : leading.length + 1 + last;
};

/** The order in which conditions are stored and shown: the summaries first, `Paused` and `Deleting` last, the rest as it came. */
export const orderConditions = <T extends { readonly type: string }>(conditions: readonly T[]): readonly T[] =>
  conditions.toSorted((left, right) => position(left.type) - position(right.type));

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

const isSeverity = (value: unknown): value is Severity => value === "Error" || value === "Warning" || value === "Info";

const isStatus = (value: unknown): value is ConditionStatus =>
  value === "True" || value === "False" || value === "Unknown";

/** A condition as another provider wrote it, in either generation; what cannot be read becomes Unknown with a reason that says so. */
const readCondition = (raw: unknown): Condition | undefined => {
  const source = record(raw);
  if (source === undefined || typeof source["type"] !== "string") return undefined;
  const { type, status, reason, message, lastTransitionTime, observedGeneration } = source;
  const time = typeof lastTransitionTime === "string" ? lastTransitionTime : "1970-01-01T00:00:00Z";
  if (!isStatus(status)) {
    const said = `condition ${type} has no valid status`;
    return { type, status: "Unknown", reason: ConditionReason.invalid, message: said, lastTransitionTime: time };
  }
  return {
    type,
    status,
    reason: typeof reason === "string" && reason !== "" ? reason : ConditionReason.noReason,
    message: typeof message === "string" ? message : "",
    lastTransitionTime: time,
    ...(typeof observedGeneration === "number" ? { observedGeneration } : {}),
  };
};

const conditionsAt = (object: KubeObject, path: string): readonly Condition[] => {
  const raw = valueAt(object, path);
  return Array.isArray(raw) ? raw.map(readCondition).filter((condition) => condition !== undefined) : [];
};

/** Today's conditions of an object; in the older contract, those of the old generation where today's are not written. */
export const conditionsOf = (object: KubeObject, contract: ContractVersion = "v1beta2"): readonly Condition[] => {
  const paths = conditionPaths(contract);
  const current = conditionsAt(object, paths.current);
  return current.length > 0 || contract === "v1beta2" ? current : conditionsAt(object, paths.deprecated);
};

/** One condition of an object, in the way of `conditionsOf`. */
export const conditionOf = (object: KubeObject, type: string, contract?: ContractVersion): Condition | undefined =>
  conditionsOf(object, contract).find((condition) => condition.type === type);

/** Conditions of `v1beta1`, as they are stored. */
export const deprecatedConditionsOf = (
  object: KubeObject,
  contract: ContractVersion = "v1beta2",
): readonly DeprecatedCondition[] => {
  const raw = valueAt(object, conditionPaths(contract).deprecated);
  return Array.isArray(raw) ? (raw as readonly DeprecatedCondition[]) : [];
};

/**
 * The merge patch that sets conditions in both generations, keeping those of other writers; empty when nothing changes.
 * `deprecated` says which types `v1beta1` gets; default all but `Paused` and `Deleting`.
 */
export const conditionsPatch = (
  object: KubeObject,
  inputs: readonly ConditionInput[],
  options: {
    readonly now: number;
    readonly contract?: ContractVersion;
    readonly deprecated?: (type: string) => boolean;
  },
): MergePatch => {
  const paths = conditionPaths(options.contract ?? "v1beta2");
  const generation = object.metadata.generation;
  const at = { now: options.now, ...(generation === undefined ? {} : { observedGeneration: generation }) };
  const before = conditionsAt(object, paths.current);
  const after = inputs.reduce((list, input) => setCondition(list, input, at), before);
  const oldBefore = deprecatedConditionsOf(object, options.contract);
  const wanted = options.deprecated ?? ((type: string) => !trailing.includes(type));
  const oldAfter = inputs
    .filter((input) => wanted(input.type))
    .reduce((list, input) => setDeprecatedCondition(list, input, at), oldBefore);
  return mergePatches(
    after === before ? undefined : patchAt(paths.current, after),
    oldAfter === oldBefore ? undefined : patchAt(paths.deprecated, oldAfter),
  );
};
