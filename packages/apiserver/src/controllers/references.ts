import type { KubeObject, OwnerReference } from "@capstan/schema";
import type { Registry, ResourceDefinition, ResourceStore } from "../model/types.ts";
import { definitionOf, refOf } from "./object-ref.ts";

/**
 * State of the owner in an owner reference. `solid`: the owner exists. `waiting`: it exists and waits for its dependents to go.
 * `absent`: no object has that uid. `unknown`: the owner's kind is not served, or it is namespaced and the dependent is not.
 */
export type OwnerState = "solid" | "waiting" | "absent" | "unknown";

export const foreground = "foregroundDeletion";
export const orphan = "orphan";

export const isDeleting = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined;

export const hasFinalizer = ({ metadata }: KubeObject, name: string): boolean =>
  metadata.finalizers?.includes(name) === true;

export const isWaiting = (object: KubeObject): boolean => isDeleting(object) && hasFinalizer(object, foreground);

export const ownersOf = ({ metadata }: KubeObject): readonly OwnerReference[] => metadata.ownerReferences ?? [];

/** Looks up what objects refer to. */
export class References {
  readonly #registry: Registry;
  readonly #store: ResourceStore;

  constructor(registry: Registry, store: ResourceStore) {
    this.#registry = registry;
    this.#store = store;
  }

  definition(object: Pick<KubeObject, "apiVersion" | "kind">): ResourceDefinition | undefined {
    return definitionOf(this.#registry.snapshot, object);
  }

  owner(owner: OwnerReference, dependent: KubeObject): OwnerState {
    const definition = this.definition(owner);
    const namespace = dependent.metadata.namespace ?? "";
    if (definition === undefined || (definition.namespaced && namespace === "")) return "unknown";
    const found = this.#store.peek(refOf(definition), {
      name: owner.name,
      ...(definition.namespaced ? { namespace } : {}),
    });
    if (found?.metadata.uid !== owner.uid) return "absent";
    return isWaiting(found) ? "waiting" : "solid";
  }

  /** Returns whether the reference breaks the rules for namespaces: the owner lives in another one, or the dependent in none. */
  crossesNamespaces(owner: OwnerReference, dependent: KubeObject): boolean {
    const definition = this.definition(owner);
    if (definition?.namespaced !== true) return false;
    if (dependent.metadata.namespace === undefined) return true;
    return this.#store.peekAll(refOf(definition)).some(({ metadata }) => metadata.uid === owner.uid);
  }
}
