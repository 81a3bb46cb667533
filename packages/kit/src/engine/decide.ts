import type { Verdict } from "./conditions.ts";
import { verdictOn } from "./conditions.ts";
import type { Absent, Observation, Seen } from "./observation.ts";
import { LifeReason, stepReason } from "./reasons.ts";
import type { Statement } from "./stages.ts";

/** The verb that a reconcile calls next. */
export type Next =
  | { readonly verb: "create" }
  | { readonly verb: "remove" }
  | { readonly verb: "step"; readonly step: string };

/** The result of a look: what the conditions say, and the verb that is called next; without one, the reconcile ends. */
export interface Decision {
  /** `undefined`: the conditions stay as they are. */
  readonly verdict?: Verdict;
  readonly next?: Next;
  /** True if the resource cannot become what its object asks for, which the role records. */
  readonly broken?: boolean;
}

/** Facts that a decision depends on in addition to the observation. */
export interface Known {
  /** The resource with its article: `the server`. */
  readonly noun: string;
  /** True if the author has the verb `create`. */
  readonly creates: boolean;
  /** True if the resource was created once: it is not recreated then. */
  readonly wasCreated: boolean;
  readonly words: {
    /** Returns the message with its stage before it. */
    readonly staged: (statement: Statement) => string;
    /** Said of a resource that is being deleted. */
    readonly leaving: string;
  };
}

const stepOf = (step: string | undefined): Pick<Decision, "next"> =>
  step === undefined ? {} : { next: { verb: "step", step } };

const decideAbsence = (
  { message = "", reason, step }: Absent,
  { creates, noun, wasCreated, words }: Known,
): Decision => {
  const waiting = (statement: Statement): Verdict => ({
    ready: false,
    reason: statement.reason,
    message: words.staged(statement),
    severity: "Info",
  });
  if (step !== undefined && !wasCreated) {
    return { verdict: waiting({ reason: stepReason(step), message }), ...stepOf(step) };
  }
  if (reason !== undefined && !wasCreated) return { verdict: waiting({ reason, message }) };
  if (!creates || wasCreated) {
    const lost = `${noun} of this object no longer exists and is not recreated`;
    const verdict = {
      ready: false,
      reason: LifeReason.missing,
      message: lost,
      severity: "Error",
      leaving: true,
    } as const;
    return { verdict, broken: true };
  }
  const creating = { reason: LifeReason.creating, message: `${noun} is being created` };
  return { verdict: waiting(creating), next: { verb: "create" } };
};

/** Decides what an object that is to exist needs next. */
export const decide = (observation: Observation, known: Known): Decision =>
  observation.state === "absent"
    ? decideAbsence(observation, known)
    : {
        verdict: verdictOn(observation, known.words),
        ...stepOf(observation.step),
        ...(observation.state === "failed" && { broken: true }),
      };

/** Decides what the removal of a resource that still exists needs next: `remove`, until it is on its way out. */
export const decideRemoval = (seen: Seen, { words }: Pick<Known, "words">): Decision =>
  seen.state === "removing"
    ? { verdict: { ...verdictOn(seen, words), leaving: true }, ...stepOf(seen.step) }
    : { next: { verb: "remove" } };
