import { isCapstanError } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import { type KubeObject, type Resource, sameJson } from "@capstan/schema";
import { expect } from "vitest";
import { type AnyObject, eventually, type World } from "../world.ts";
import { flatten } from "./flatten.ts";

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

/** What came of a request. */
type Outcome = { readonly accepted: object } | { readonly refused: readonly string[] };

/** Annotations that conversions and controllers write, at a time of their own. */
const ownAnnotations: ReadonlySet<string> = new Set([
  "cluster.x-k8s.io/conversion-data",
  "machinedeployment.clusters.x-k8s.io/revision",
  "capstan.dev/rollout-history",
]);

/** Labels and annotations as the user sees them. */
const metadataOf = ({ metadata: { labels, annotations = {} } }: AnyObject): object => {
  const others = Object.fromEntries(Object.entries(annotations).filter(([name]) => !ownAnnotations.has(name)));
  return { ...(labels !== undefined && { labels }), ...(Object.keys(others).length > 0 && { annotations: others }) };
};

interface RequestOptions {
  /** True if the status counts: it does not where controllers write it in the meantime. Default: true. */
  readonly hasStatus?: boolean;
  /** Returns whether controllers have put into an object what belongs to the answer. It is awaited. Default: nothing is. */
  readonly isWhole?: (object: AnyObject) => boolean;
}

/** An object as it was answered, or as it is once controllers have put into it what belongs to the answer. */
const untilWhole = async (
  answered: AnyObject,
  again: () => Promise<AnyObject>,
  { isWhole = () => true }: RequestOptions,
): Promise<AnyObject> => {
  let object = answered;
  if (isWhole(object)) return object;
  await eventually(async () => {
    object = await again();
    expect(isWhole(object), `${object.kind} ${object.metadata.name} has what its controller puts into it`).toBe(true);
  });
  return object;
};

/** What came of a request: the object as it is stored, or the fields for which it was refused. */
const outcome = async (
  request: Promise<AnyObject>,
  again: () => Promise<AnyObject>,
  options: RequestOptions,
): Promise<Outcome> => {
  const { hasStatus = true } = options;
  try {
    const object = await untilWhole(await request, again, options);
    const { spec = null, status = null } = object;
    return { accepted: { ...metadataOf(object), spec, ...(hasStatus && { status }) } };
  } catch (error) {
    if (!isCapstanError(error)) throw error;
    const causes = (error.details["causes"] ?? []) as readonly { readonly field?: string; readonly reason?: string }[];
    const refused = causes
      .filter(({ field, reason }) => field !== undefined && reason !== undefined)
      .map(({ field, reason }) => `${reason} ${field}`)
      .toSorted();
    return refused.length > 0 ? { refused: Array.from(new Set(refused)) } : { refused: [error.code] };
  }
};

/** An update of what is stored, once no one else has written at the same time. */
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

/** Everything that comes of the cases of one kind; its versions are v1beta2 and v1beta1. */
export const requestFacts = async (
  client: Client,
  kind: Resource,
  cases: readonly RequestCase[],
  options: RequestOptions = {},
): Promise<Facts> => {
  const versions = ["v1beta2", "v1beta1"].map((version) => ({ ...kind, version }));
  const found = new Map<string, unknown>();
  for (const { title, object, update } of cases) {
    const { namespace = "", name = "" } = object.metadata;
    const key = { namespace, name };
    const [written, other] = object.apiVersion.endsWith("/v1beta2") ? versions : versions.toReversed();
    const again = () => client.get<AnyObject>(written!, key);
    found.set(title, await outcome(client.create(written!, object), again, options));
    const stored = await client.find(written!, key);
    if (stored === undefined) continue;
    const readTitle = other!.version === "v1beta1" ? "in the older version" : "in the newer version";
    found.set(
      `${title}, ${readTitle}`,
      await outcome(client.get(other!, key), again, { hasStatus: options.hasStatus ?? true }),
    );
    if (update !== undefined) {
      found.set(`${title}, afterwards`, await outcome(updated(client, written!, key, update), again, options));
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

const isAccepted = (value: unknown): value is { readonly accepted: object } =>
  typeof value === "object" && value !== null && "accepted" in value;

/** A fact as both see it. */
interface Pair {
  readonly title: string;
  readonly upstream: unknown;
  readonly ours: unknown;
}

/** Of two objects that were accepted each field is a fact. */
const fieldsOf = ({ title, upstream, ours }: Pair): readonly Pair[] => {
  if (!isAccepted(upstream) || !isAccepted(ours)) return [{ title, upstream, ours }];
  const [theirs, own] = [upstream.accepted, ours.accepted].map((object) => {
    const fields = new Map<string, unknown>();
    flatten(object, "", (path, value) => fields.set(`${title} | ${path}`, value));
    return fields;
  });
  return Array.from(new Set([...theirs!.keys(), ...own!.keys()]), (path) => ({
    title: path,
    upstream: theirs!.get(path),
    ours: own!.get(path),
  }));
};

export const comparisonBy = (meant: Meant): Comparison => {
  const used = new Set<RegExp>();
  /** Reasons of a difference; none without one. */
  const reasonsOf = ({ title, ...values }: Pair): readonly string[] => {
    const text = JSON.stringify(values);
    const found = meant.filter(([titles, , pattern]) => titles.test(title) && (pattern?.test(text) ?? true));
    for (const [titles] of found) used.add(titles);
    return found.map(([, reason]) => reason);
  };
  const open: Comparison["open"] = (name, theirs, ours) => {
    const facts = Array.from(new Set([...theirs.keys(), ...ours.keys()])).flatMap((title) =>
      fieldsOf({ title, upstream: theirs.get(title), ours: ours.get(title) }),
    );
    const differences = facts.filter((fact) => !sameJson(fact.upstream, fact.ours));
    const byReason = Map.groupBy(differences, (fact) => reasonsOf(fact)[0]);
    const found = byReason.get(undefined) ?? [];
    const equal = facts.length - differences.length;
    console.log(
      `${name}: ${facts.length} facts, ${equal} equal (${((equal / facts.length) * 100).toFixed(1)} %), ${differences.length - found.length} differ with a reason, ${found.length} without`,
    );
    for (const [reason, { length }] of byReason) if (reason !== undefined) console.log(`${length}: ${reason}`);
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
