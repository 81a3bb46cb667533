import { CapstanError, isCapstanError } from "@capstan/contract";
import type { ConditionInput, MergePatch } from "@capstan/contract/wire";
import { conditionOf, describeObject } from "@capstan/contract/wire";
import { isBeingDeleted, keyText } from "@capstan/kube-values";
import type { ReconcileContext, Request } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { isHeld } from "../finalizers.ts";
import { LifeReason } from "../reasons.ts";
import { isRefusal } from "./held-kind.ts";
import type { HeldKind, Standing } from "./held-kind.ts";
import type { HeldRecord } from "./hold-record.ts";
import { hasRecord, heldBy, heldId, kindName, recordPatch } from "./hold-record.ts";

/** One reconcile of an object, and what the object's removal needs. */
export interface Holder {
  readonly changes: { readonly object: KubeObject; condition(input: ConditionInput): void };
  readonly request: Request;
  readonly reconcile: ReconcileContext;
  /** Set where something could not be held: that is retried before long. */
  unheld: boolean;
  needs(): Promise<readonly HeldRecord[]>;
}

interface Owner {
  readonly finalizer?: string | undefined;
  readonly oldFinalizers?: readonly string[];
}

const leaving = (object: KubeObject, record: HeldRecord): CapstanError =>
  new CapstanError({
    code: "holds.being_deleted",
    reason: "NeededObjectBeingDeleted",
    message: `${describeObject(object)} refers to ${record.kind.split(".")[0]} ${keyText(record)}, which is being deleted; recreate it once it is gone, or reference another one`,
    retry: { kind: "never" },
    details: { kind: record.kind, object: keyText(record) },
  });

/** Condition of an object that could not hold something; without such trouble it has none. */
const heldCondition = "NeededObjectsHeld";
const { holdRefused } = LifeReason;

/** A refused write, and what it was to hold. */
interface Refusal {
  readonly record: HeldRecord;
  readonly error: CapstanError;
}

const nameOf = ({ kind, name, namespace }: HeldRecord): string =>
  `${kind.split(".")[0]} ${keyText({ namespace, name })}`;

const saidOf = ({ error, record }: Refusal): string =>
  `${nameOf(record)}, which is needed for the deletion, cannot be protected: ${error.message}; allow the manager to patch it`;

const refused = (object: KubeObject, refusal: Refusal): CapstanError =>
  new CapstanError({
    code: "holds.refused",
    reason: holdRefused,
    message: `${describeObject(object)}: ${saidOf(refusal)}, or name another one`,
    retry: refusal.error.retry,
    details: { kind: refusal.record.kind, object: keyText(refusal.record) },
  });

/** Objects of all kinds that objects of one controller hold. */
export class Holding {
  readonly kinds: readonly HeldKind[];
  readonly #byKind: ReadonlyMap<string, HeldKind>;
  readonly #owner: Owner;

  constructor(kinds: readonly HeldKind[], owner: Owner) {
    this.kinds = kinds;
    this.#byKind = new Map(kinds.map((held) => [kindName(held.kind), held]));
    this.#owner = owner;
  }

  /**
   * Holds what the object needs, before anything is made that needs it; answers with the patch that records it. Throws
   * `holds.being_deleted` for something on its way out that the object did not need before, and `holds.refused` where the API server
   * refuses the write before the object has its finalizer. Later, refusals are said in a condition and are in the way of nothing.
   */
  async hold(holder: Holder): Promise<MergePatch> {
    const { changes, reconcile, request } = holder;
    const { object } = changes;
    const needs = await holder.needs();
    const recorded = heldBy(object);
    const known = new Set(recorded.map(heldId));
    // What an older version made holds nothing yet, and needs everything all the same.
    const isOld = isHeld(object, this.#owner) && !hasRecord(object);
    const isNew = (record: HeldRecord): boolean => !isOld && !isBeingDeleted(object) && !known.has(heldId(record));
    const going = needs.find(
      (record) => isNew(record) && this.#byKind.get(record.kind)?.isLeaving(request, record, reconcile.cache) === true,
    );
    if (going !== undefined) throw leaving(object, going);
    this.#need(request, needs);
    const kept: HeldRecord[] = [];
    const refusals: Refusal[] = [];
    for (const record of needs) {
      const standing = await this.#hold(holder, record, (refusal) => refusals.push(refusal));
      if (standing === "leaving" && isNew(record)) {
        this.#need(request, recorded);
        throw leaving(object, record);
      }
      if (standing !== "missing" || known.has(heldId(record))) kept.push(record);
    }
    this.#say(holder, refusals);
    return recordPatch(object, kept);
  }

  /** Without a standing it could not be held. */
  async #hold(
    { changes: { object }, reconcile, request }: Holder,
    record: HeldRecord,
    onRefusal: (refusal: Refusal) => void,
  ): Promise<Standing | undefined> {
    try {
      return await this.#byKind.get(record.kind)?.hold(request, record, reconcile);
    } catch (error) {
      if (reconcile.signal.aborted || !isCapstanError(error) || error.code === "kube.conflict") throw error;
      const refusal = { record, error };
      if (isRefusal(error) && !isHeld(object, this.#owner)) throw refused(object, refusal);
      // What continues its way out needs the others now, not later.
      if (!isRefusal(error) && !isBeingDeleted(object)) throw error;
      onRefusal(refusal);
      return undefined;
    }
  }

  #say(holder: Holder, refusals: readonly Refusal[]): void {
    const { changes, reconcile } = holder;
    holder.unheld = refusals.length > 0;
    const before = conditionOf(changes.object, heldCondition);
    if (refusals.length === 0) {
      if (before?.status !== "False") return;
      changes.condition({ type: heldCondition, status: "True", reason: LifeReason.held });
      return;
    }
    const message = refusals.map(saidOf).join("; ");
    changes.condition({ type: heldCondition, status: "False", reason: holdRefused, message, severity: "Warning" });
    if (before?.message === message) return;
    reconcile.events.event(changes.object, { type: "Warning", reason: holdRefused, message });
  }

  /** The object no longer needs anything, or is gone. */
  letGo(request: Request): void {
    this.#need(request, []);
  }

  #need(request: Request, needs: readonly HeldRecord[]): void {
    for (const [kind, held] of this.#byKind) {
      held.need(
        request,
        needs.filter((record) => record.kind === kind),
      );
    }
  }
}
