import type { ConditionInput, Severity } from "@capstan/contract/wire";
import { conditionOf, ConditionReason, ConditionType } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import type { ObjectContext } from "./author.ts";
import type { Failure } from "./failures.ts";
import type { Seen } from "./observation.ts";
import { LifeReason, stepReason } from "./reasons.ts";
import type { Statement } from "./stages.ts";

/** Input of an object's conditions. */
export interface Verdict {
  readonly ready: boolean;
  readonly reason: string;
  readonly message: string;
  readonly severity: Severity;
  /** It is only about the present, whatever has been built before. */
  readonly leaving?: boolean;
  /** The failure; a transient one does not affect what was built before, unless it blocks its removal. */
  readonly failure?: Failure;
  /** With `failure`: it could not be observed, so its state is unknown. */
  readonly unseen?: boolean;
}

/** Turns a verdict into conditions. */
export type Conditions<Context = ObjectContext<KubeObject>> = (
  verdict: Verdict,
  context: Context,
) => readonly ConditionInput[];

/** Returns whether the object says that it is ready. */
export const isReady = (object: KubeObject): boolean => conditionOf(object, ConditionType.ready)?.status === "True";

/** Returns whether it was ready when last observed; since then it may be `Unknown`, but not `False`. */
export const wasReady = (object: KubeObject): boolean =>
  ["True", "Unknown"].includes(conditionOf(object, ConditionType.ready)?.status ?? "False");

/**
 * `Ready`, and where the role has one, the condition that shows the way to the first success and stays True from then on. `built`: it has
 * been built before, so only `Ready` is about this.
 */
export const standardConditions = (
  verdict: Verdict,
  built: boolean,
  milestone?: { readonly type: string; readonly reason: string },
): readonly ConditionInput[] => {
  if (verdict.ready) {
    const ready: ConditionInput = { type: ConditionType.ready, status: "True", reason: verdict.reason };
    return milestone === undefined ? [ready] : [ready, { ...milestone, status: "True" }];
  }
  const { failure, message, reason, severity } = verdict;
  const unseen = verdict.unseen === true;
  const isSilent = failure !== undefined && (!failure.lasting || (failure.refused && unseen));
  if (isSilent && built && verdict.leaving !== true) {
    return unseen ? [{ type: ConditionType.ready, status: "Unknown", reason, message }] : [];
  }
  const ready: ConditionInput = { type: ConditionType.ready, status: "False", reason, message, severity };
  const alone = milestone === undefined || built || verdict.leaving === true;
  return alone ? [ready] : [ready, { ...ready, type: milestone.type }];
};

/** The verdict on what was observed. `staged` puts the stage before messages; `leaving` is said of what is on its way out. */
export const verdictOn = (
  seen: Seen,
  words: { readonly staged: (statement: Statement) => string; readonly leaving: string },
): Verdict => {
  if (seen.state === "present") return { ready: true, reason: ConditionReason.ready, message: "", severity: "Info" };
  if (seen.state === "failed") return { ready: false, reason: seen.reason, message: seen.message, severity: "Error" };
  const { message = "" } = seen;
  if (seen.state === "pending") {
    const reason = seen.step === undefined ? seen.reason : stepReason(seen.step);
    return { ready: false, reason, message: words.staged({ ...seen, reason, message }), severity: "Info" };
  }
  const reason = seen.step === undefined ? (seen.reason ?? LifeReason.deleting) : stepReason(seen.step);
  const said = message === "" ? words.leaving : message;
  const staged = words.staged({ ...seen, reason, message: said });
  return { ready: false, reason, message: staged, severity: "Warning" };
};
