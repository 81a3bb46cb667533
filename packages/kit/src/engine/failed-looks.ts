import type { Clock } from "@capstan/contract";
import type { ConditionInput } from "@capstan/contract/wire";
import { conditionOf, ConditionReason, ConditionType } from "@capstan/contract/wire";
import { isBeingDeleted } from "@capstan/kube-values";
import { isReady } from "./conditions.ts";
import type { Failure } from "./failures.ts";
import { slowRetryMs } from "./failures.ts";
import { installationCurrentCondition } from "./installation.ts";
import type { LifeTypes } from "./object-author.ts";
import type { Visit } from "./visit.ts";

/** Looks that fail for less than this time may have failed by chance. */
const chanceMs = 1000;
/** So long a Secret may be wrong, because it is being exchanged, before what it was used to look at counts as unknown. */
const refusedMs = slowRetryMs;
/** Causes may take turns, and each would be a write: this long the first one stands for all of its reason. */
const wordsKeptMs = 600_000;

interface FailedLook {
  readonly since: number;
  readonly failure: Failure;
  readonly saidAt: number;
}

/** Keeps `Ready` True where it was, so that health checks leave the object alone, and says why in a condition of its own. */
const superseded = <T extends LifeTypes>(visit: Visit<T>, failure: Failure): readonly ConditionInput[] => {
  const { object } = visit.changes;
  const { message, reason } = failure;
  const current: ConditionInput = { type: installationCurrentCondition, status: "False", reason, message };
  if (!isReady(object) || isBeingDeleted(object)) {
    return [...visit.conditions({ ready: false, reason, message, severity: "Error", leaving: true }), current];
  }
  const ready = conditionOf(object, ConditionType.ready)?.reason ?? ConditionReason.ready;
  const said = `it was ready when this installation last managed it: ${message}`;
  return [{ type: ConditionType.ready, status: "True", reason: ready, message: said }, current];
};

/**
 * Reports objects that could not be observed. An object that was built before is observed once more first; if that
 * fails too, its state becomes Unknown. Rejected credentials affect all of their objects at once but say nothing about
 * what is running, so a ready object stays ready for a while, with the rejection in its message.
 */
export class FailedLooks {
  readonly #clock: Clock;
  readonly #looks = new Map<string, FailedLook>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Conditions for a failure; `undefined`: it is looked at again before anything is said. */
  conditions<T extends LifeTypes>(visit: Visit<T>, failure: Failure): readonly ConditionInput[] | undefined {
    if (failure.superseded === true) return superseded(visit, failure);
    const leaving = isBeingDeleted(visit.changes.object);
    if (failure.refused && !leaving) return this.#refused(visit, failure);
    if (failure.byUser && !leaving && !visit.unseen) return this.#refused(visit, { ...failure, lasting: true });
    const said = visit.conditions({ ready: false, ...failure, failure, leaving: leaving && !visit.unseen });
    if (said.length > 0 || !visit.unseen || !failure.alarming) return said;
    const look = this.#note(visit.changes.object.metadata.uid ?? "", failure);
    if (this.#clock.now() - look.since < chanceMs) return undefined;
    return visit.conditions({ ready: false, ...look.failure, failure: look.failure, unseen: true });
  }

  /** It was looked at, or is gone. */
  forget(uid: string): void {
    this.#looks.delete(uid);
  }

  #refused<T extends LifeTypes>(visit: Visit<T>, failure: Failure): readonly ConditionInput[] {
    const { unseen } = visit;
    const { object } = visit.changes;
    const said = visit.conditions({ ready: false, ...failure, failure, unseen });
    const forMs = unseen ? this.#clock.now() - this.#note(object.metadata.uid ?? "", failure).since : 0;
    const stands = unseen ? isReady(object) && forMs < refusedMs : visit.said?.ready === true;
    if (!stands) return said;
    const how = unseen ? "it was ready when last looked at" : "it is ready, but differs from the spec";
    const ready: ConditionInput = {
      type: ConditionType.ready,
      status: "True",
      reason: conditionOf(object, ConditionType.ready)?.reason ?? ConditionReason.ready,
      message: `${how}: ${failure.message}`,
    };
    return said.map((condition) =>
      condition.type === ConditionType.ready && condition.status !== "True" ? ready : condition,
    );
  }

  #note(uid: string, failure: Failure): FailedLook {
    const now = this.#clock.now();
    const before = this.#looks.get(uid);
    const stands = before?.failure.reason === failure.reason && now - before.saidAt < wordsKeptMs;
    const look = before !== undefined && stands ? before : { since: before?.since ?? now, failure, saidAt: now };
    this.#looks.set(uid, look);
    return look;
  }
}
