import { keyOf, type ObjectKey } from "@capstan/kube-values";
import type { KubeObject, OwnerReference } from "@capstan/schema";
import { hasFinalizer, isDeleting, isWaiting, orphan, ownersOf } from "./references.ts";

/** Where an object lives and whom it belongs to. */
export interface GraphNode {
  readonly uid: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly key: ObjectKey;
  readonly owners: readonly OwnerReference[];
  /** Being deleted in the foreground or with orphans: its dependents decide when it goes. */
  readonly isHeld: boolean;
}

/** The objects that have owners or are being deleted with or without their dependents, and who depends on whom. */
export class OwnerGraph {
  readonly #nodes = new Map<string, GraphNode>();
  readonly #dependents = new Map<string, Set<string>>();

  node(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  /** Objects that name this uid as an owner. */
  dependents(uid: string): readonly GraphNode[] {
    return [...(this.#dependents.get(uid) ?? [])].map((dependent) => this.#nodes.get(dependent)!);
  }

  update(object: KubeObject): void {
    const uid = object.metadata.uid ?? "";
    this.remove(uid);
    const owners = ownersOf(object);
    const isHeld = isWaiting(object) || (isDeleting(object) && hasFinalizer(object, orphan));
    if (owners.length === 0 && !isHeld) return;
    this.#nodes.set(uid, { uid, apiVersion: object.apiVersion, kind: object.kind, key: keyOf(object), owners, isHeld });
    for (const owner of owners) {
      const known = this.#dependents.get(owner.uid) ?? new Set();
      this.#dependents.set(owner.uid, known.add(uid));
    }
  }

  remove(uid: string): void {
    for (const owner of this.#nodes.get(uid)?.owners ?? []) {
      const known = this.#dependents.get(owner.uid);
      known?.delete(uid);
      if (known?.size === 0) this.#dependents.delete(owner.uid);
    }
    this.#nodes.delete(uid);
  }
}
