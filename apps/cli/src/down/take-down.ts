import { CapstanError, Group, type Clock } from "@capstan/contract";
import { ClusterResource, conditionsOf, ConditionType, ConfigMapResource } from "@capstan/contract/wire";
import { whyPaused } from "@capstan/inspect";
import type { Client } from "@capstan/kube";
import { countNoun, groupOf } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { appliedFilesKey } from "../up/applied-files.ts";
import type { View } from "../view/view.ts";
import { nameOf } from "../manifest/identity.ts";
import type { AppliedObject } from "../up/apply-set.ts";
import { appliedObjects } from "./applied-objects.ts";
import { allObjects, keptBy } from "./holders.ts";

export interface DownEnvironment {
  readonly client: Client;
  readonly clock: Clock;
  readonly view: View;
  readonly signal: AbortSignal;
}

/** Between two looks at what is still there. */
const pollMs = 500;

const isCluster = ({ object }: AppliedObject): boolean =>
  object.kind === ClusterResource.kind && groupOf(object.apiVersion) === Group.core;

/**
 * Deletion order; objects that others need go after them: Clusters with everything they own, then kinds with servers of
 * their own, then Secrets, then Namespaces.
 */
const rounds: readonly ((item: AppliedObject) => boolean)[] = [
  isCluster,
  ({ object }) =>
    !["Secret", "ConfigMap", "ServiceAccount", "CustomResourceDefinition", "Namespace"].includes(object.kind),
  ({ object }) => !["CustomResourceDefinition", "Namespace"].includes(object.kind),
  () => true,
];

const remove = async ({ kind, object }: AppliedObject, { client, view, signal }: DownEnvironment): Promise<void> => {
  const { name = "", namespace, uid = "" } = object.metadata;
  view.say({ type: "deleting", text: `deleting ${nameOf(object)}`, fields: { kind: object.kind, namespace, name } });
  const key = { name, ...(namespace !== undefined && { namespace }) };
  await client.delete(kind, key, { preconditions: { uid }, signal });
};

/** Those that are still there, as they are now. */
const remaining = async (
  items: readonly AppliedObject[],
  { client, signal }: DownEnvironment,
): Promise<readonly AppliedObject[]> => {
  const found = await Promise.all(
    items.map(async ({ kind, object }) => {
      const { name = "", namespace, uid } = object.metadata;
      const now = await client.find(kind, { name, ...(namespace !== undefined && { namespace }) }, { signal });
      return now?.metadata.uid === uid && now !== undefined ? [{ kind, object: now }] : [];
    }),
  );
  return found.flat();
};

/** Returns what the conditions say about the deletion. */
const whyOf = (object: KubeObject): string => {
  const deleting = conditionsOf(object).find(({ type }) => type === ConditionType.deleting);
  const ready = conditionsOf(object).find(({ type }) => type === ConditionType.ready);
  const said = [deleting, ready].map((condition) => condition?.message ?? "");
  const why = [whyPaused(object), ...said].find((text) => text !== "");
  return why === undefined ? "" : `: ${why.replaceAll(/\s*\n\s*/g, " ")}`;
};

const late = async (
  items: readonly AppliedObject[],
  timeoutMs: number,
  { client, signal }: DownEnvironment,
): Promise<CapstanError> => {
  const everything = await allObjects(client, signal);
  return new CapstanError({
    code: "down.timeout",
    reason: "NotGone",
    message: [
      `${countNoun(items.length, "object")} still there after ${timeoutMs / 1000} s; rerun capstan down to keep waiting`,
      ...items.map(({ object }) => `${nameOf(object)}${whyOf(object)}${keptBy(object, everything)}`),
    ].join("\n  "),
    retry: { kind: "never" },
  });
};

const untilGone = async (
  items: readonly AppliedObject[],
  { deadline, timeoutMs }: { readonly deadline: number; readonly timeoutMs: number },
  environment: DownEnvironment,
): Promise<void> => {
  const { clock, view, signal } = environment;
  let waiting = items;
  for (;;) {
    const left = await remaining(waiting, environment);
    const uids = new Set(left.map(({ object }) => object.metadata.uid));
    for (const { object } of waiting) {
      if (uids.has(object.metadata.uid)) continue;
      const { name, namespace } = object.metadata;
      view.say({ type: "deleted", text: `${nameOf(object)} is gone`, fields: { kind: object.kind, namespace, name } });
    }
    if (left.length === 0) return;
    if (clock.now() >= deadline) throw await late(left, timeoutMs, environment);
    waiting = left;
    await clock.sleep(pollMs, { signal });
  }
};

/** Deletes everything that `capstan up` applied, and waits until it is gone; resolves to how much that was. Throws `down.timeout`. */
export const takeDown = async (environment: DownEnvironment, timeoutMs: number): Promise<number> => {
  const { client, clock, signal } = environment;
  const deadline = clock.now() + timeoutMs;
  let deleted = 0;
  for (const isOfRound of rounds) {
    // What went with those of the round before no longer exists.
    const items = (await appliedObjects(client, signal)).filter(isOfRound);
    for (const item of items) await remove(item, environment);
    await untilGone(items, { deadline, timeoutMs }, environment);
    deleted += items.length;
  }
  // The next capstan up applies its files again.
  await client.delete(ConfigMapResource, appliedFilesKey, { signal });
  return deleted;
};

/** Clusters that another user made. */
export const othersClusters = async ({ client, signal }: DownEnvironment): Promise<readonly string[]> =>
  (await client.list(ClusterResource, { signal })).items.map(nameOf);
