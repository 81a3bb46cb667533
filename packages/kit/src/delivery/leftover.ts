import { Label } from "@capstan/contract";
import { SecretResource } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { markOf } from "../engine/owner.ts";
import { keysLeftBy } from "./stored-keys.ts";
import type { StoredKey } from "./stored-keys.ts";

/** Label of Secrets that record stored bootstrap data which could not be deleted; its value is the kind of the machine in lower case. */
export const leftoverLabel = "capstan.dev/stored-bootstrap-data";

const leftoverAnnotation = "capstan.dev/stored-bootstrap-data";

/** Objects of a machine that are still in a store, or may be, and outlive the machine's own object. */
export interface Leftover {
  /** Under which its data was put: that of the machine, or the one it had before it was moved. */
  readonly uid: string;
  /** Name of the machine's object; absent in records of earlier releases. With its namespace it identifies the owner. */
  readonly owner?: { readonly namespace: string; readonly name: string; readonly id: string };
  /** Secrets of the stores, as `namespace/name`. */
  readonly stores: readonly string[];
  readonly storeType?: string;
  /** Kind and name, for people. */
  readonly machine: string;
  /** RFC 3339: when the deletion failed first. */
  readonly since: string;
}

export const leftoverName = (uid: string): string => `stored-bootstrap-data-${uid}`;

/**
 * The Secret that records a leftover. It has no owner, so it outlives the machine and the cluster, and moves with the cluster's objects. It
 * is a Secret because it says where data with secrets lies, and because providers watch Secrets anyway.
 */
export const leftoverSecret = ({ kind, metadata }: KubeObject, leftover: Leftover, namespace: string): KubeObject => {
  const inherited = [Label.clusterName, Label.watchFilter].flatMap((label) => {
    const value = metadata.labels?.[label];
    return value === undefined ? [] : [[label, value]];
  });
  return {
    apiVersion: SecretResource.version,
    kind: SecretResource.kind,
    metadata: {
      name: leftoverName(leftover.uid),
      namespace,
      labels: { ...Object.fromEntries(inherited), [leftoverLabel]: kind.toLowerCase(), [Label.move]: "true" },
      annotations: { [leftoverAnnotation]: JSON.stringify(leftover) },
    },
    type: "capstan.dev/stored-bootstrap-data",
  };
};

const isText = (value: unknown): value is string => typeof value === "string";
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);

/** Returns the leftover recorded in a Secret; `undefined` if it is another Secret, has the wrong name, or cannot be parsed. */
export const leftoverOf = ({ metadata }: KubeObject): Leftover | undefined => {
  const text = metadata.annotations?.[leftoverAnnotation];
  if (text === undefined || metadata.labels?.[leftoverLabel] === undefined) return undefined;
  try {
    const read = JSON.parse(text) as Partial<Leftover>;
    const { machine = "", owner, since = "", stores, uid } = read;
    if (!isText(uid) || uid === "" || !isText(machine) || !isText(since) || !isTexts(stores)) return undefined;
    if (owner !== undefined && ![owner.namespace, owner.name, owner.id].every(isText)) return undefined;
    if (metadata.name !== leftoverName(uid)) return undefined;
    return { ...read, uid, stores, machine, since };
  } catch {
    // Someone wrote over it; that is the same as no record.
    return undefined;
  }
};

/** Everything that the machine of a record may have in a store. Objects whose key does not say whose they are have to carry its mark. */
export const keysOfLeftover = ({ owner, uid }: Leftover): readonly StoredKey[] =>
  keysLeftBy(uid, owner && { id: owner.id, mark: markOf(owner) });

/**
 * Returns whether a record may be believed. Whoever may write Secrets in a namespace may write one, so it speaks for a machine of that namespace, or,
 * beside the Secret of a store that machines of other namespaces use, for one that is gone: `isThere` says whether an object has the mark.
 */
export const isBelieved = (
  { metadata: { namespace } }: KubeObject,
  { owner }: Leftover,
  isThere: (mark: string) => boolean,
): boolean => owner === undefined || owner.namespace === namespace || !isThere(markOf(owner));

const firstWaitMs = 30_000;
const longestWaitMs = 3_600_000;

/** Returns the delay before the next attempt: the time since the first failure, at least 30 seconds and at most an hour. */
export const nextTryMs = (since: string, now: number): number => {
  const startedAt = Date.parse(since);
  const failingMs = Number.isNaN(startedAt) ? longestWaitMs : now - startedAt;
  return Math.min(longestWaitMs, Math.max(firstWaitMs, failingMs));
};

/** One record of what an earlier one and a new one say of the same machine. */
export const joinedLeftover = (before: Leftover | undefined, after: Leftover): Leftover => {
  if (before === undefined) return after;
  return {
    ...after,
    ...before,
    stores: [...new Set([...before.stores, ...after.stores])],
  };
};
