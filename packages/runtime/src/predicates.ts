import type { KubeObject } from "@capstan/schema";
import type { Predicate } from "./controller.ts";

type Labels = Readonly<Record<string, string>> | undefined;

/** Lets creations and deletions pass, and updates that the test calls a change. */
const onUpdate =
  (changed: (previous: KubeObject, object: KubeObject) => boolean): Predicate<KubeObject> =>
  (event) =>
    event.type !== "updated" || changed(event.previous, event.object);

const sameMap = (a: Labels = {}, b: Labels = {}): boolean => {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
};

/** The spec changed, or the object is being deleted. Kinds without `generation` pass on every change. */
export const generationChanged = onUpdate(({ metadata: before }, { metadata: after }) =>
  after.generation === undefined
    ? before.resourceVersion !== after.resourceVersion
    : before.generation !== after.generation || before.deletionTimestamp !== after.deletionTimestamp,
);

export const labelsChanged = onUpdate((before, after) => !sameMap(before.metadata.labels, after.metadata.labels));

export const annotationsChanged = onUpdate(
  (before, after) => !sameMap(before.metadata.annotations, after.metadata.annotations),
);

export const finalizersChanged = onUpdate(
  (before, after) => (before.metadata.finalizers ?? []).join() !== (after.metadata.finalizers ?? []).join(),
);

/** Anything changed: drops the events of a relist that brought nothing new. */
export const objectChanged = onUpdate(
  (before, after) => before.metadata.resourceVersion !== after.metadata.resourceVersion,
);

export const anyOf =
  <T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> =>
  (event) =>
    predicates.some((predicate) => predicate(event));

export const allOf =
  <T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> =>
  (event) =>
    predicates.every((predicate) => predicate(event));

export const not =
  <T extends KubeObject>(predicate: Predicate<T>): Predicate<T> =>
  (event) =>
    !predicate(event);
