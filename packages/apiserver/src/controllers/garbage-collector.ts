import { keyOf } from "@capstan/kube-values";
import { type KubeObject, type OwnerReference, sameJson } from "@capstan/schema";
import { isStatusError } from "../model/status-error.ts";
import type { ExtensionEnvironment, ExtensionFactory } from "../registry/extension.ts";
import type { DeleteOptions, ResourceDefinition, StoreEvent } from "../model/types.ts";
import { controller } from "./controller.ts";
import { recordEvent } from "./event-record.ts";
import { refOf } from "./object-ref.ts";
import { OwnerGraph } from "./owner-graph.ts";
import type { GraphNode } from "./owner-graph.ts";
import { foreground, hasFinalizer, isDeleting, isWaiting, orphan, ownersOf, References } from "./references.ts";

const fieldManager = "garbage-collector";

/** Kinds that no one collects. */
const isIgnored = ({ kind, apiVersion }: KubeObject): boolean =>
  kind === "Event" && (apiVersion === "v1" || apiVersion.startsWith("events.k8s.io/"));

const uidOf = ({ metadata }: KubeObject): string => metadata.uid ?? "";

/** Failures that mean another user was faster; what is left to do comes as an event. */
const isOvertaken = (error: unknown): boolean => isStatusError(error, "NotFound");

class GarbageCollector {
  readonly #environment: ExtensionEnvironment;
  readonly #references: References;
  readonly #graph = new OwnerGraph();
  /** Objects with an owner whose kind was not served. */
  readonly #unresolved = new Set<string>();
  readonly #reported = new Set<string>();

  constructor(environment: ExtensionEnvironment) {
    this.#environment = environment;
    this.#references = new References(environment.registry, environment.store);
  }

  watch(add: (uid: string) => void): readonly (() => void)[] {
    const { store, registry } = this.#environment;
    return [
      store.watchAll((event) => this.#observe(event, add)),
      registry.onChange(() => {
        for (const uid of this.#unresolved) add(uid);
      }),
    ];
  }

  #observe({ type, object }: StoreEvent, add: (uid: string) => void): void {
    if (isIgnored(object)) return;
    const uid = uidOf(object);
    const before = this.#graph.node(uid)?.owners ?? [];
    const owners = new Set([...ownersOf(object), ...before]);
    if (type === "DELETED") {
      this.#graph.remove(uid);
      this.#unresolved.delete(uid);
      for (const dependent of this.#graph.dependents(uid)) add(dependent.uid);
    } else {
      this.#graph.update(object);
      const changed = type === "ADDED" || !sameJson(before, ownersOf(object));
      if (this.#graph.node(uid) !== undefined && (changed || isDeleting(object))) add(uid);
    }
    // An owner that waits may now have one dependent less.
    for (const owner of owners) if (this.#graph.node(owner.uid)?.isHeld === true) add(owner.uid);
  }

  async reconcile(uid: string): Promise<void> {
    const node = this.#graph.node(uid);
    const object = node && this.#living(node);
    if (object === undefined) return;
    try {
      if (!isDeleting(object)) await this.#collect(object);
      else if (hasFinalizer(object, orphan)) await this.#orphanDependents(object);
      else if (isWaiting(object)) await this.#deleteDependents(object);
    } catch (error) {
      if (!isOvertaken(error)) throw error;
    }
  }

  /** The object as it is now, unless another one has taken its name or its kind is not served. */
  #living(node: GraphNode): KubeObject | undefined {
    const definition = this.#references.definition(node);
    const object = definition && this.#environment.store.peek(refOf(definition), node.key);
    return object?.metadata.uid === node.uid ? object : undefined;
  }

  /** Deletes an object none of whose owners exists, or takes absent owners off one that keeps another owner. */
  async #collect(object: KubeObject): Promise<void> {
    const states = new Map(ownersOf(object).map((owner) => [owner, this.#references.owner(owner, object)]));
    const inState = (...wanted: readonly string[]) =>
      [...states].filter(([, state]) => wanted.includes(state)).map(([owner]) => owner);
    const [solid, waiting, unknown] = [inState("solid"), inState("waiting"), inState("unknown")];
    for (const owner of [...inState("absent"), ...unknown]) this.#reportBadNamespace(owner, object);
    if (unknown.length > 0) this.#unresolved.add(uidOf(object));
    else this.#unresolved.delete(uidOf(object));
    if (states.size === 0 || unknown.length === states.size) return;
    if (solid.length + unknown.length > 0) {
      const gone = inState("absent", "waiting");
      if (gone.length > 0) await this.#dropOwners(object, gone);
      return;
    }
    if (waiting.length > 0 && this.#graph.dependents(uidOf(object)).length > 0) {
      await this.#unblockCircle(object, waiting);
      await this.#delete(object, "Foreground");
      return;
    }
    await this.#delete(
      object,
      hasFinalizer(object, orphan) ? "Orphan" : hasFinalizer(object, foreground) ? "Foreground" : "Background",
    );
  }

  /** Two objects that own each other must not wait for each other. */
  async #unblockCircle(object: KubeObject, waiting: readonly OwnerReference[]): Promise<void> {
    const dependents = new Set(this.#graph.dependents(uidOf(object)).map(({ uid }) => uid));
    const inCircle = waiting.filter((owner) => dependents.has(owner.uid));
    if (inCircle.length === 0) return;
    const owners = ownersOf(object).map((owner) =>
      inCircle.includes(owner) ? { ...owner, blockOwnerDeletion: false } : owner,
    );
    await this.#patchMetadata(object, { ownerReferences: owners });
  }

  /**
   * Foreground deletion: blocking dependents first, then the owner is let go. What is in another namespace, where it can have no such owner,
   * holds nothing up, unlike with kube-apiserver.
   */
  async #deleteDependents(owner: KubeObject): Promise<void> {
    const uid = uidOf(owner);
    const { namespace } = owner.metadata;
    const blocking = this.#graph
      .dependents(uid)
      .filter(
        ({ key, owners }) =>
          (namespace === undefined || key.namespace === namespace) &&
          owners.some((reference) => reference.uid === uid && reference.blockOwnerDeletion === true),
      );
    if (blocking.length === 0) {
      await this.#removeFinalizer(owner, foreground);
      return;
    }
    await Promise.all(
      blocking.map(async (node) => {
        const dependent = this.#living(node);
        if (dependent !== undefined && !isDeleting(dependent)) await this.#collect(dependent);
      }),
    );
  }

  async #orphanDependents(owner: KubeObject): Promise<void> {
    const uid = uidOf(owner);
    await Promise.all(
      this.#graph.dependents(uid).map(async (node) => {
        const dependent = this.#living(node);
        const gone = dependent && ownersOf(dependent).filter((reference) => reference.uid === uid);
        if (dependent !== undefined && gone !== undefined) await this.#dropOwners(dependent, gone);
      }),
    );
    await this.#removeFinalizer(owner, orphan);
  }

  async #dropOwners(object: KubeObject, gone: readonly OwnerReference[]): Promise<void> {
    const rest = ownersOf(object).filter((owner) => !gone.includes(owner));
    await this.#patchMetadata(object, { ownerReferences: rest.length === 0 ? null : rest });
  }

  async #removeFinalizer(object: KubeObject, name: string): Promise<void> {
    const rest = (object.metadata.finalizers ?? []).filter((finalizer) => finalizer !== name);
    await this.#patchMetadata(object, { finalizers: rest.length === 0 ? null : rest });
  }

  /** The definition of an object's kind; without one the object is looked at again when the served kinds change. */
  #served(object: KubeObject): ResourceDefinition | undefined {
    const definition = this.#references.definition(object);
    if (definition === undefined) this.#unresolved.add(uidOf(object));
    return definition;
  }

  /** Fails with a conflict if the object is no longer in this state. */
  async #patchMetadata(object: KubeObject, changes: Readonly<Record<string, unknown>>): Promise<void> {
    const { resourceVersion } = object.metadata;
    const definition = this.#served(object);
    if (definition === undefined) return;
    await this.#environment.store.patch(
      refOf(definition),
      keyOf(object),
      { type: "merge", patch: { metadata: { ...changes, resourceVersion } } },
      { fieldManager },
    );
  }

  async #delete(object: KubeObject, propagationPolicy: NonNullable<DeleteOptions["propagationPolicy"]>): Promise<void> {
    const { resourceVersion, uid } = object.metadata;
    const definition = this.#served(object);
    if (definition === undefined) return;
    await this.#environment.store.delete(refOf(definition), keyOf(object), {
      propagationPolicy,
      // An object in a circle has just been changed by ourselves; everybody else's change counts.
      preconditions: {
        ...(uid && { uid }),
        ...(propagationPolicy !== "Foreground" && resourceVersion && { resourceVersion }),
      },
    });
  }

  #reportBadNamespace(owner: OwnerReference, dependent: KubeObject): void {
    const seen = `${uidOf(dependent)} ${owner.uid}`;
    if (this.#reported.has(seen) || !this.#references.crossesNamespaces(owner, dependent)) return;
    this.#reported.add(seen);
    const namespace = dependent.metadata.namespace ?? "";
    recordEvent(this.#environment, {
      about: dependent,
      type: "Warning",
      reason: "OwnerRefInvalidNamespace",
      message: `ownerRef [${owner.apiVersion}/${owner.kind}, namespace: ${namespace}, name: ${owner.name}, uid: ${owner.uid}] does not exist in namespace "${namespace}"`,
      component: "garbage-collector-controller",
    });
  }
}

/** Deletes objects whose owners are gone, and carries out foreground deletion and orphaning. */
export const garbageCollector: ExtensionFactory = (environment) => {
  const collector = new GarbageCollector(environment);
  return controller(environment, {
    name: "garbage-collector",
    watch: (add) => collector.watch(add),
    reconcile: (uid) => collector.reconcile(uid),
  });
};
