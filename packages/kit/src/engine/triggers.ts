import type { CacheEvent } from "@capstan/kube";
import type { Predicate, Source } from "@capstan/runtime";
import { annotationsChanged, anyOf, generationChanged, labelsChanged, watch } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";

const ownersChanged: Predicate<KubeObject> = (event) =>
  event.type !== "updated" ||
  JSON.stringify(event.previous.metadata.ownerReferences) !== JSON.stringify(event.object.metadata.ownerReferences);

/** The object's own events that matter: its spec, labels, annotations and owners; never what a controller wrote as status. */
export const ownObject = <O extends KubeObject>(kind: Resource<O>): Source =>
  watch<O>(kind, {
    when: anyOf<KubeObject>(generationChanged, annotationsChanged, labelsChanged, ownersChanged),
  });

/** Updates that change one of the given facts. */
export const changesIn =
  (...facts: readonly ((object: KubeObject) => unknown)[]): Predicate<KubeObject> =>
  (event: CacheEvent<KubeObject>) =>
    event.type !== "updated" || facts.some((fact) => fact(event.previous) !== fact(event.object));
