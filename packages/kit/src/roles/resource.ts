import type { ControllerV1 } from "@capstan/contract/v1";
import { ClusterResource } from "@capstan/contract/wire";
import { isBeingDeleted } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import type { Handled } from "../engine/author.ts";
import { managedObject } from "../engine/managed-object.ts";
import type { ObjectFacts, Observation } from "../engine/observation.ts";
import { observations } from "../engine/observation.ts";
import { watched } from "../engine/permissions.ts";
import type { NoUses, Uses } from "../engine/uses/use.ts";
import { LifeReason } from "../engine/reasons.ts";
import { RoleReason } from "./reasons.ts";
import type { Difference, ResourceAuthor, ResourceContext, ResourceSurroundings } from "./resource-author.ts";
import { byOwningCluster, prepareMembers, surroundings } from "./of-cluster.ts";

const { absent, failed, pending, present } = observations();

const textOf = ({ actual, desired, field }: Difference): string =>
  desired === undefined || actual === undefined ? field : `${field} is ${actual} and shall be ${desired}`;

const listed = (differences: readonly Difference[]): string => differences.map(textOf).join("; ");

/** What there is to do about a thing that is not as the spec says. */
const mending = (
  facts: ObjectFacts,
  differences: readonly Difference[],
  hasUpdate: boolean,
): Observation | undefined => {
  if (differences.length === 0) return undefined;
  const refused = differences.filter(({ mend }) => mend === "refuse" || (mend === "update" && !hasUpdate));
  if (refused.length > 0) {
    const message = `cannot be changed in what exists: ${listed(refused)}; take the change back, or delete the object and make it anew`;
    return failed({ ...facts, reason: RoleReason.changeRefused, message });
  }
  const replaced = differences.filter(({ mend }) => mend === "replace");
  const [reason, step, message] =
    replaced.length > 0
      ? ([RoleReason.replacing, "replace", `it is made anew: ${listed(replaced)}`] as const)
      : ([RoleReason.updating, "update", listed(differences)] as const);
  return pending({ ...facts, reason, step, message });
};

/**
 * A controller for a kind that stands for one thing outside: it is made when there is none, compared with the spec, updated or replaced
 * where it differs, and removed with the object. It needs no Cluster; one that it is labelled with or owned by pauses it.
 */
export const resource = <O extends KubeObject, Api, Actual, U extends Uses<O> = NoUses>(
  author: ResourceAuthor<O, Api, Actual, U>,
): ControllerV1 => {
  const { differences = () => [], driftPollMs, facts, find, unready, update, ...verbs } = author;

  const observe = async (context: ResourceContext<O, Api, U>): Promise<Observation> => {
    const actual = await find(context);
    if (actual === undefined) return absent();
    const seen = facts(actual);
    if (isBeingDeleted(context.object)) return pending({ ...seen, reason: LifeReason.deleting });
    const waiting = unready?.({ actual });
    if (waiting !== undefined) return pending({ ...seen, ...waiting });
    return mending(seen, differences({ ...context, actual }), update !== undefined) ?? present(seen);
  };

  const bringUpToDate = async (context: ResourceContext<O, Api, U> & Handled): Promise<void> => {
    // Read anew: between the look and the write somebody else may have changed it.
    const actual = await find(context);
    if (actual === undefined) return;
    const [first, ...others] = differences({ ...context, actual }).filter(({ mend }) => mend === "update");
    if (first !== undefined) await update?.({ ...context, actual, differences: [first, ...others] });
  };

  return managedObject<O, Api, ObjectFacts, ResourceSurroundings, never, U>({
    ...verbs,
    setup: (cache) => prepareMembers(author.kind, cache),
    sources: [byOwningCluster(author.kind)],
    permissions: { own: [watched(ClusterResource)] },
    around: ({ object, cache }) => surroundings(object, cache),
    observe,
    steps: { update: bringUpToDate, replace: (context) => author.remove(context) },
    ...(driftPollMs !== undefined && { pace: { driftMs: driftPollMs } }),
  });
};
