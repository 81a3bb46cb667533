import { conditionOf, ConditionType, stageSince, stageText } from "@capstan/contract/wire";
import { type ObjectKey, keyOf, keyText } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import type { Progress } from "./observation.ts";

/** A stage of slow work, as conditions show it: `booting since 10:32 (step 3 of 4)`. */
export interface Stage {
  /** Name of the stage, such as `booting`. */
  readonly name: string;
  /** Reasons of observations, and names of steps as reasons (`boot` is `Boot`), that belong to it. `Creating` is the engine's own. */
  readonly reasons: readonly string[];
}

/** The next value of a condition. */
export interface Statement extends Progress {
  readonly reason: string;
  readonly message: string;
}

interface Begun {
  readonly uid: string;
  readonly stage: string;
  readonly since: number;
}

/** Smaller differences are not worth a request. */
const percentStep = 25;

const stageWith = (stages: readonly Stage[], reason: string | undefined): Stage | undefined =>
  stages.find(({ reasons }) => reason !== undefined && reasons.includes(reason));

/** When a stage began, as the object's condition says since before this process was started. */
const recorded = (object: KubeObject, stages: readonly Stage[], stage: Stage): number | undefined => {
  const ready = conditionOf(object, ConditionType.ready);
  return stageWith(stages, ready?.reason) === stage ? stageSince(ready?.message ?? "", stage.name) : undefined;
};

/**
 * Puts the stage of slow work before the messages of conditions: which, since when, and how many there are. The time is that of the
 * stage's begin, so that a message changes with the stage and not with time, and nothing is written in between.
 */
export class StageTimes {
  readonly #begun = new Map<string, Begun>();

  /** The message of a condition; as given, when its reason belongs to no stage. */
  message(object: KubeObject, stages: readonly Stage[], statement: Statement, now: number): string {
    const { message, percent, reason } = statement;
    const stage = stageWith(stages, reason);
    if (stage === undefined) return message;
    const since = this.#since(object, stages, stage, statement.startedAt ?? now);
    const what = stageText({
      name: stage.name,
      since,
      number: stages.indexOf(stage) + 1,
      of: stages.length,
      percent: percent === undefined ? undefined : Math.floor(percent / percentStep) * percentStep,
    });
    return message === "" ? what : `${what}: ${message}`;
  }

  /** The work is over, or the object is gone. */
  forget(key: ObjectKey): void {
    this.#begun.delete(keyText(key));
  }

  #since(object: KubeObject, stages: readonly Stage[], stage: Stage, begin: number): number {
    const { uid = "" } = object.metadata;
    const name = keyText(keyOf(object));
    const known = this.#begun.get(name);
    if (known?.stage === stage.name && known.uid === uid) return known.since;
    const since = recorded(object, stages, stage) ?? begin;
    this.#begun.set(name, { uid, stage: stage.name, since });
    return since;
  }
}
