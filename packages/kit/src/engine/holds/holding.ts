import { CapstanError } from "@capstan/contract";
import type { MergePatch } from "@capstan/contract/wire";
import { describeObject } from "@capstan/contract/wire";
import { isBeingDeleted, keyText } from "@capstan/kube-values";
import type { ReconcileContext, Request } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { isHeld } from "../finalizers.ts";
import type { HeldKind } from "./held-kind.ts";
import type { HeldRecord } from "./hold-record.ts";
import { hasRecord, heldBy, heldId, kindName, recordPatch } from "./hold-record.ts";

/** One reconcile of an object, and what the object's removal needs. */
export interface Holder {
  readonly changes: { readonly object: KubeObject };
  readonly request: Request;
  readonly reconcile: ReconcileContext;
  needs(): readonly HeldRecord[];
}

interface Owner {
  readonly finalizer?: string | undefined;
  readonly oldFinalizers?: readonly string[];
}

const leaving = (object: KubeObject, record: HeldRecord): CapstanError =>
  new CapstanError({
    code: "holds.being_deleted",
    reason: "NeededObjectBeingDeleted",
    message: `${describeObject(object)} refers to ${record.kind.split(".")[0]} ${keyText(record)}, which is being deleted; create it again once it is gone, or name another one`,
    retry: { kind: "never" },
    details: { kind: record.kind, object: keyText(record) },
  });

/** What objects of one controller hold, of all kinds. */
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
   * `holds.being_deleted` for something on its way out that the object did not need before.
   */
  async hold(holder: Holder): Promise<MergePatch> {
    const { changes, reconcile, request } = holder;
    const { object } = changes;
    const needs = holder.needs();
    const recorded = heldBy(object);
    const known = new Set(recorded.map(heldId));
    // What an older version made holds nothing yet, and needs everything all the same.
    const isOld = isHeld(object, this.#owner) && !hasRecord(object);
    const isNew = (record: HeldRecord): boolean => !isOld && !isBeingDeleted(object) && !known.has(heldId(record));
    const refused = needs.find(
      (record) => isNew(record) && this.#byKind.get(record.kind)?.isLeaving(request, record, reconcile.cache) === true,
    );
    if (refused !== undefined) throw leaving(object, refused);
    this.#need(request, needs);
    const kept: HeldRecord[] = [];
    for (const record of needs) {
      const standing = await this.#byKind.get(record.kind)?.hold(request, record, reconcile);
      if (standing === "leaving" && isNew(record)) {
        this.#need(request, recorded);
        throw leaving(object, record);
      }
      if (standing !== "missing" || known.has(heldId(record))) kept.push(record);
    }
    return recordPatch(object, kept);
  }

  /** The object needs nothing any more, or is gone. */
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
