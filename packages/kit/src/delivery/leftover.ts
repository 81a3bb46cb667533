import { Label } from "@capstan/contract";
import { SecretResource } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";

/** Label of Secrets that record stored bootstrap data which could not be deleted; its value is the kind of the machine in lower case. */
export const leftoverLabel = "capstan.dev/stored-bootstrap-data";

const leftoverAnnotation = "capstan.dev/stored-bootstrap-data";

/** Objects of a machine that are still in a store, or may be, and outlive the machine's own object. */
export interface Leftover {
  /** Of the machine; the keys of all its objects begin with it. */
  readonly uid: string;
  readonly keys: readonly string[];
  /** Secrets of the stores, as `namespace/name`. */
  readonly stores: readonly string[];
  readonly storeType?: string;
  /** The machine is on its way out: whatever begins with its uid goes, not only what is known. */
  readonly everything?: boolean;
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
export const leftoverSecret = ({ kind, metadata }: KubeObject, leftover: Leftover): KubeObject => {
  const inherited = [Label.clusterName, Label.watchFilter].flatMap((label) => {
    const value = metadata.labels?.[label];
    return value === undefined ? [] : [[label, value]];
  });
  return {
    apiVersion: SecretResource.version,
    kind: SecretResource.kind,
    metadata: {
      name: leftoverName(leftover.uid),
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      labels: { ...Object.fromEntries(inherited), [leftoverLabel]: kind.toLowerCase(), [Label.move]: "true" },
      annotations: { [leftoverAnnotation]: JSON.stringify(leftover) },
    },
    type: "capstan.dev/stored-bootstrap-data",
  };
};

/** What a Secret records of a leftover; `undefined` when it is another Secret, or cannot be read. */
const isText = (value: unknown): value is string => typeof value === "string";
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);

export const leftoverOf = ({ metadata }: KubeObject): Leftover | undefined => {
  const text = metadata.annotations?.[leftoverAnnotation];
  if (text === undefined || metadata.labels?.[leftoverLabel] === undefined) return undefined;
  try {
    const read = JSON.parse(text) as Partial<Leftover>;
    const { keys, machine = "", since = "", stores, uid } = read;
    if (!isText(uid) || uid === "" || !isText(machine) || !isText(since)) return undefined;
    if (!isTexts(keys) || !isTexts(stores)) return undefined;
    return { ...read, uid, keys, stores, machine, since };
  } catch {
    // Somebody wrote over it; that is the same as no record.
    return undefined;
  }
};

const firstWaitMs = 30_000;
const longestWaitMs = 3_600_000;

/** How long to wait for the next try: as long as it has failed so far, at least half a minute and at most an hour. */
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
    keys: [...new Set([...before.keys, ...after.keys])],
    stores: [...new Set([...before.stores, ...after.stores])],
    ...(before.everything === true || after.everything === true ? { everything: true } : {}),
  };
};
