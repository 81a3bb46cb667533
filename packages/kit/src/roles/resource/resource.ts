import type { ControllerV1 } from "@capstan/contract/v1";
import { ClusterResource, mergePatches, patchAt, valueAt, withOwnerReference } from "@capstan/contract/wire";
import { isBeingDeleted } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";
import { mayHaveField } from "@capstan/schema";
import type { Handled, ObjectContext, Waiting, Writing } from "../../engine/author.ts";
import { managedObject } from "../../engine/managed-object.ts";
import {
  hasRecorded,
  namedByIdReason,
  ownedCondition,
  releasedCondition,
  type ThingById,
  thereAlready,
  wasReleased,
} from "../../engine/named-by-id.ts";
import type { ObjectFacts, Observation } from "../../engine/observation.ts";
import { observations } from "../../engine/observation.ts";
import type { Provision } from "../../engine/object-author.ts";
import { ownedByAnother } from "../../engine/owned-by-another.ts";
import { watched } from "../../engine/permissions.ts";
import type { NoUses, Uses, Using } from "../../engine/uses/use.ts";
import { LifeReason } from "../../engine/reasons.ts";
import { RoleReason } from "../reasons.ts";
import type { Difference, ResourceAuthor, ResourceContext, ResourceSurroundings } from "./author.ts";
import { byOwningCluster, prepareMembers, surroundings } from "./of-cluster.ts";

const { absent, failed, pending, present, removing } = observations();

/** Until it is asked again whether something is still in use. */
const retainedPollMs = 10_000;

const textOf = ({ actual, desired, field }: Difference): string =>
  desired === undefined || actual === undefined ? field : `${field} is ${actual}, want ${desired}`;

const listed = (differences: readonly Difference[]): string => differences.map(textOf).join("; ");

/** Action for a resource that differs from its spec. */
const mending = (
  facts: ObjectFacts,
  differences: readonly Difference[],
  hasUpdate: boolean,
): Observation | undefined => {
  if (differences.length === 0) return undefined;
  const refused = differences.filter(({ mend }) => mend === "refuse" || (mend === "update" && !hasUpdate));
  if (refused.length > 0) {
    const message = `immutable: ${listed(refused)}; revert the change, or delete and recreate the object`;
    return failed({ ...facts, reason: RoleReason.changeRefused, message });
  }
  const replaced = differences.filter(({ mend }) => mend === "replace");
  const [reason, step, message] =
    replaced.length > 0
      ? ([RoleReason.replacing, "replace", `being recreated: ${listed(replaced)}`] as const)
      : ([RoleReason.updating, "update", listed(differences)] as const);
  return pending({ ...facts, reason, step, message });
};

/** By which kinds that have them say that the thing was made; never unset. */
const flags = ["status.ready", "status.initialization.provisioned"] as const;

/** Sets the flags that the kind has. */
const provisionOf = (kind: Resource, noun: string): Provision<KubeObject, ObjectFacts> => {
  const paths = flags.filter((path) => "schema" in kind && mayHaveField(kind, path));
  return {
    is: (object) => paths.every((path) => valueAt(object, path) === true),
    patch: () => mergePatches(...paths.map((path) => patchAt(path, true))),
    message: () => `${noun} exists`,
  };
};

const withOwned = <Facts extends ObjectFacts>(facts: Facts, thing: ThingById & { readonly isOwn: boolean }): Facts => ({
  ...facts,
  conditions: [...(facts.conditions ?? []), ownedCondition(thing, thing.isOwn)],
});

/** Until something is made that has been recorded. */
const recordedPollMs = 1000;

/** Called when the thing does not exist. A thing that carries no mark is recorded first, so that after a crash it is known as the object's own. */
const missing = (object: KubeObject, thing: ThingById | undefined): Observation => {
  if (thing === undefined || isBeingDeleted(object) || hasRecorded(object, thing)) return absent();
  // Why it was refused stands in the conditions until it is retried.
  if (wasReleased(object)) return absent();
  return absent({
    reason: LifeReason.creating,
    message: `${thing.what} is being created`,
    conditions: [ownedCondition(thing, true)],
    pollMs: recordedPollMs,
  });
};

/** Looks at the thing and compares it with the spec. */
const observing =
  <O extends KubeObject, Api, Actual, U extends Uses<O>>(author: ResourceAuthor<O, Api, Actual, U>) =>
  async (context: ResourceContext<O, Api, U>): Promise<Observation> => {
    const { object } = context;
    const actual = await author.find(context);
    const unmarked = author.unmarked?.(context);
    if (actual === undefined) return missing(object, unmarked);
    const taken = author.takenBy?.({ ...context, actual });
    if (taken !== undefined) return isBeingDeleted(object) ? absent() : failed(ownedByAnother(context, taken));
    if (unmarked !== undefined && !unmarked.mayTake && !hasRecorded(object, unmarked)) {
      return isBeingDeleted(object) ? absent() : failed({ reason: namedByIdReason, message: thereAlready(unmarked) });
    }
    const thing = author.byId?.({ ...context, actual }) ?? (unmarked && { ...unmarked, isOwn: true });
    const seen = thing === undefined ? author.facts(actual, object) : withOwned(author.facts(actual, object), thing);
    if (thing?.isOwn === false) return isBeingDeleted(object) ? absent() : present(seen);
    if (isBeingDeleted(object)) {
      const inUse = author.retained?.({ actual, object });
      return inUse === undefined
        ? pending({ ...seen, reason: LifeReason.deleting })
        : removing({ ...seen, ...inUse, pollMs: retainedPollMs });
    }
    const waiting = author.unready?.({ actual });
    if (waiting !== undefined) return pending({ ...seen, ...waiting });
    const found = author.differences?.({ ...context, actual }) ?? [];
    return mending(seen, found, author.update !== undefined) ?? present(seen);
  };

/** Makes the thing. What has no mark is recorded before, and no longer once it was refused. */
const creating =
  <O extends KubeObject, Api, Actual, U extends Uses<O>>(author: ResourceAuthor<O, Api, Actual, U>) =>
  async (context: ResourceContext<O, Api, U> & Pick<ObjectContext<O>, "changes"> & Writing): Promise<void> => {
    const { changes, object } = context;
    const thing = author.unmarked?.(context);
    if (thing !== undefined && !hasRecorded(object, thing)) {
      changes.condition(ownedCondition(thing, true));
      await changes.flush({ all: true });
    }
    try {
      await author.create(context);
    } catch (error) {
      if (thing !== undefined && author.isRefusal?.(error) === true) changes.condition(releasedCondition(thing));
      throw error;
    }
  };

/** Fixes what can be fixed in place. */
const updating =
  <O extends KubeObject, Api, Actual, U extends Uses<O>>(author: ResourceAuthor<O, Api, Actual, U>) =>
  async (context: ResourceContext<O, Api, U> & Handled): Promise<void> => {
    // Read again: between the look and the write another user may have changed it.
    const actual = await author.find(context);
    if (actual === undefined || author.takenBy?.({ ...context, actual }) !== undefined) return;
    if (author.byId?.({ ...context, actual }).isOwn === false) return;
    const found = author.differences?.({ ...context, actual }) ?? [];
    const [first, ...others] = found.filter(({ mend }) => mend === "update");
    if (first !== undefined) await author.update?.({ ...context, actual, differences: [first, ...others] });
  };

/** Has the object go with its owner, and asks what there is to wait for. */
const belonging =
  <O extends KubeObject, Api, Actual, U extends Uses<O>>(author: ResourceAuthor<O, Api, Actual, U>) =>
  async (place: ObjectContext<O> & ResourceSurroundings & Using<U>): Promise<Waiting | undefined> => {
    const reference = author.owner?.(place);
    if (reference !== undefined) {
      const { ownerReferences: before } = place.object.metadata;
      const ownerReferences = withOwnerReference(before, reference);
      if (ownerReferences !== before) await place.changes.writeNow({ metadata: { ownerReferences } });
    }
    return author.waits?.(place);
  };

/**
 * A controller for a kind that stands for one thing outside: it is made when there is none, compared with the spec, updated or replaced
 * where it differs, and removed with the object. It needs no Cluster; one that it is labelled with or owned by pauses it.
 */
export const resource = <O extends KubeObject, Api, Actual, U extends Uses<O> = NoUses>(
  author: ResourceAuthor<O, Api, Actual, U>,
): ControllerV1 => {
  const {
    byId: _byId,
    differences: _differences,
    driftPollMs,
    facts: _facts,
    find: _find,
    takenBy: _takenBy,
    unmarked: _unmarked,
    update: _update,
    isRefusal: _isRefusal,
    ...verbs
  } = author;
  return managedObject<O, Api, ObjectFacts, ResourceSurroundings, never, U>({
    ...verbs,
    setup: (cache) => prepareMembers(author.kind, cache),
    sources: [byOwningCluster(author.kind)],
    permissions: { own: [watched(ClusterResource)] },
    around: ({ object, cache }) => surroundings(object, cache),
    waits: belonging(author),
    provision: provisionOf(author.kind, author.noun),
    observe: observing(author),
    create: creating(author),
    steps: { update: updating(author), replace: (context) => author.remove(context) },
    ...(driftPollMs !== undefined && { pace: { driftMs: driftPollMs } }),
  });
};
