import { isCapstanError } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import { type KubeObject, type Resource, sameJson } from "@capstan/schema";
import { type AnyObject, eventually, type World } from "../world.ts";

/** What an object is created as, and what an update makes of it. */
export interface RequestCase {
  readonly title: string;
  readonly object: KubeObject;
  /** The object after an update, from the one that is stored. */
  readonly update?: Change;
}

type Change = (stored: AnyObject) => KubeObject;

/** Facts by title. */
export type Facts = ReadonlyMap<string, unknown>;

/** Labels and annotations as the user sees them, without what a conversion keeps for itself. */
const metadataOf = ({ metadata: { labels, annotations = {} } }: AnyObject): object => {
  const { "cluster.x-k8s.io/conversion-data": _, ...others } = annotations;
  return { ...(labels !== undefined && { labels }), ...(Object.keys(others).length > 0 && { annotations: others }) };
};

/** What came of a request: the object as it is stored, or the fields for which it was refused. */
const outcome = async (request: Promise<AnyObject>, hasStatus: boolean): Promise<unknown> => {
  try {
    const object = await request;
    const { spec = null, status = null } = object;
    return { accepted: { ...metadataOf(object), spec, ...(hasStatus && { status }) } };
  } catch (error) {
    if (!isCapstanError(error)) throw error;
    const causes = (error.details["causes"] ?? []) as readonly { readonly field?: string; readonly reason?: string }[];
    const refused = causes.map(({ field, reason }) => `${reason} ${field}`).toSorted();
    return refused.length > 0 ? { refused: Array.from(new Set(refused)) } : { refused: [error.code] };
  }
};

/** An update of what is stored, once nobody else has written at the same time. */
const updated = async (
  client: Client,
  kind: Resource,
  key: { readonly namespace: string; readonly name: string },
  change: Change,
): Promise<AnyObject> => {
  for (;;) {
    try {
      return await client.update(kind, change(await client.get(kind, key)));
    } catch (error) {
      if (!isCapstanError(error, "kube.conflict")) throw error;
    }
  }
};

/**
 * Everything that comes of the cases of one kind; its versions are v1beta2 and v1beta1. The status is left out where controllers write it
 * in the meantime.
 */
export const requestFacts = async (
  client: Client,
  kind: Resource,
  cases: readonly RequestCase[],
  { hasStatus = true }: { readonly hasStatus?: boolean } = {},
): Promise<Facts> => {
  const versions = ["v1beta2", "v1beta1"].map((version) => ({ ...kind, version }));
  const found = new Map<string, unknown>();
  for (const { title, object, update } of cases) {
    const { namespace = "", name = "" } = object.metadata;
    const key = { namespace, name };
    const [written, other] = object.apiVersion.endsWith("/v1beta2") ? versions : versions.toReversed();
    found.set(title, await outcome(client.create(written!, object), hasStatus));
    const stored = await client.find(written!, key);
    if (stored === undefined) continue;
    const readTitle = other!.version === "v1beta1" ? "in the older version" : "in the newer version";
    found.set(`${title}, ${readTitle}`, await outcome(client.get(other!, key), hasStatus));
    if (update !== undefined) {
      found.set(`${title}, afterwards`, await outcome(updated(client, written!, key, update), hasStatus));
    }
    await client.delete(written!, key);
  }
  return found;
};

/**
 * Differences that are meant: what their titles match, and why; with a third part, what the two values match, as JSON of both. Those that
 * come about `at times` depend on who was first.
 */
export type Meant = readonly (readonly [titles: RegExp, reason: string, values?: RegExp, when?: "at times"])[];

/** Comparisons by one list of differences that are meant. */
export interface Comparison {
  /** Compares, prints how much is equal, and returns what differs without a reason. */
  readonly open: (name: string, theirs: Facts, ours: Facts) => readonly object[];
  /** Reasons that no difference had: what they were for is equal by now. */
  readonly unused: () => readonly string[];
}

export const comparisonBy = (meant: Meant): Comparison => {
  const used = new Set<RegExp>();
  const isMeant = (title: string, values: object): boolean => {
    const text = JSON.stringify(values);
    const found = meant.filter(([titles, , pattern]) => titles.test(title) && (pattern?.test(text) ?? true));
    for (const [titles] of found) used.add(titles);
    return found.length > 0;
  };
  const open: Comparison["open"] = (name, theirs, ours) => {
    const titles = Array.from(new Set([...theirs.keys(), ...ours.keys()]));
    const differences = titles.filter((title) => !sameJson(theirs.get(title), ours.get(title)));
    const found = differences
      .map((title) => ({ title, upstream: theirs.get(title), ours: ours.get(title) }))
      .filter(({ title, ...values }) => !isMeant(title, values));
    const equal = titles.length - differences.length;
    console.log(
      `${name}: ${titles.length} facts, ${equal} equal (${((equal / titles.length) * 100).toFixed(1)} %), ${differences.length - found.length} differ with a reason, ${found.length} without`,
    );
    for (const each of found) console.log(JSON.stringify(each));
    return found;
  };
  return {
    open,
    unused: () =>
      meant.flatMap(([pattern, reason, , when]) =>
        used.has(pattern) || when === "at times" ? [] : [`${pattern.source}: ${reason}`],
      ),
  };
};

/** Resolves when an object would be accepted: webhooks are there by then. */
export const untilServed = async ({ environment }: Pick<World, "environment">, object: KubeObject): Promise<void> =>
  eventually(() => environment.apply([object], { dryRun: true }));
