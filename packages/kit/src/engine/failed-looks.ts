import type { Clock } from "@capstan/contract";
import type { ConditionInput } from "@capstan/contract/wire";
import { isBeingDeleted } from "@capstan/kube-values";
import type { Failure } from "./failures.ts";
import type { LifeTypes } from "./object-author.ts";
import type { Visit } from "./visit.ts";

/** Looks that fail for less than this time may have failed by chance. */
const chanceMs = 1000;
/** Causes may take turns, and each would be a write: this long the first one stands for all of its reason. */
const wordsKeptMs = 600_000;

interface FailedLook {
  readonly since: number;
  readonly failure: Failure;
  readonly saidAt: number;
}

/**
 * What to say of objects that could not be looked at. What has been built before is looked at again first; when that fails too, nobody
 * knows what it is like, and it says so.
 */
export class FailedLooks {
  readonly #clock: Clock;
  readonly #looks = new Map<string, FailedLook>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Conditions for a failure; `undefined`: it is looked at again before anything is said. */
  conditions<T extends LifeTypes>(visit: Visit<T>, failure: Failure): readonly ConditionInput[] | undefined {
    const leaving = isBeingDeleted(visit.changes.object);
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

  #note(uid: string, failure: Failure): FailedLook {
    const now = this.#clock.now();
    const before = this.#looks.get(uid);
    const stands = before?.failure.reason === failure.reason && now - before.saidAt < wordsKeptMs;
    const look = before !== undefined && stands ? before : { since: before?.since ?? now, failure, saidAt: now };
    this.#looks.set(uid, look);
    return look;
  }
}
