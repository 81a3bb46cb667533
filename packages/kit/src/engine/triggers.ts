import type { CacheEvent } from "@capstan/kube";
import type { Predicate, Source } from "@capstan/runtime";
import { annotationsChanged, anyOf, generationChanged, labelsChanged, watch } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";

const ownersChanged: Predicate<KubeObject> = (event) =>
  event.type !== "updated" ||
  JSON.stringify(event.previous.metadata.ownerReferences) !== JSON.stringify(event.object.metadata.ownerReferences);

/** Returns the annotations without a controller's own records. */
const othersOf = ({ metadata: { annotations = {} } }: KubeObject, own: readonly string[]): string =>
  JSON.stringify(Object.entries(annotations).filter(([name]) => !own.includes(name)));

const annotationsChangedBeside =
  (own: readonly string[]): Predicate<KubeObject> =>
  (event) =>
    annotationsChanged(event) &&
    (event.type !== "updated" || othersOf(event.previous, own) !== othersOf(event.object, own));

/**
 * The object's own events that matter: its spec, labels, annotations and owners; never what a controller wrote as status, or as an
 * annotation of its `own`.
 */
export const ownObject = <O extends KubeObject>(kind: Resource<O>, own: readonly string[] = []): Source =>
  watch<O>(kind, {
    when: anyOf<KubeObject>(generationChanged, annotationsChangedBeside(own), labelsChanged, ownersChanged),
  });

/** Updates that change one of the given facts. */
export const changesIn =
  (...facts: readonly ((object: KubeObject) => unknown)[]): Predicate<KubeObject> =>
  (event: CacheEvent<KubeObject>) =>
    event.type !== "updated" || facts.some((fact) => fact(event.previous) !== fact(event.object));
