import { CapstanError, isCapstanError } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import { own, resource, type Resource } from "@capstan/schema";
import { anyOf, nearWords } from "../near-words.ts";

interface ApiResources {
  readonly resources?: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly singularName?: string;
    readonly shortNames?: readonly string[];
  }[];
}

interface ApiGroups {
  readonly groups?: readonly { readonly name: string; readonly versions: readonly { readonly version: string }[] }[];
}

/** A kind that the server serves, with every word for it. */
interface ServedKind {
  readonly resource: Resource;
  readonly words: readonly string[];
}

interface Call {
  readonly signal: AbortSignal;
}

/** Words beside those that the definitions have. */
const aliases: Readonly<Record<string, string>> = { m: "machines" };

/** Ours come before those of the same name in other groups. */
const rank = ({ group }: Resource): number => (group.endsWith("cluster.x-k8s.io") ? 0 : group === "" ? 1 : 2);

const kindsOf = async (client: Client, group: string, version: string, call: Call): Promise<readonly ServedKind[]> => {
  const path = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  try {
    const { resources = [] } = await client.request<ApiResources>({ method: "GET", path, ...call });
    return resources
      .filter(({ name }) => !name.includes("/"))
      .map(({ name: plural, kind, namespaced, singularName = "", shortNames = [] }) => ({
        resource: resource({ group, version, kind, plural, namespaced }),
        words: [
          plural,
          kind.toLowerCase(),
          ...[plural, kind.toLowerCase()].flatMap((word) => [`${word}.${group}`, `${word}.${version}.${group}`]),
          ...shortNames,
          singularName,
        ].filter((word) => word !== ""),
      }));
  } catch (error) {
    // One group of another server that does not answer hides only its own kinds.
    if (isCapstanError(error)) return [];
    throw error;
  }
};

/** Every kind of a group, in the first of its versions: a group's kinds may have different ones. */
const kindsOfGroup = async (
  client: Client,
  { name, versions }: NonNullable<ApiGroups["groups"]>[number],
  call: Call,
): Promise<readonly ServedKind[]> => {
  const all = await Promise.all(versions.map(({ version }) => kindsOf(client, name, version, call)));
  const byPlural = Map.groupBy(all.flat(), ({ resource: { plural } }) => plural);
  return [...byPlural.values()].flatMap((kinds) => kinds.slice(0, 1));
};

/** Every kind that the server serves, in its preferred version. */
const servedKinds = async (client: Client, call: Call): Promise<readonly ServedKind[]> => {
  const { groups = [] } = await client.request<ApiGroups>({ method: "GET", path: "/apis", ...call });
  const all = await Promise.all([
    kindsOf(client, "", "v1", call),
    ...groups.map((group) => kindsOfGroup(client, group, call)),
  ]);
  return all.flat().toSorted((a, b) => rank(a.resource) - rank(b.resource));
};

/** A word for every kind that can be listed: plurals, and for ours what people say. */
export const kindWords = async (client: Client, call: Call): Promise<readonly string[]> => {
  const served = await servedKinds(client, call);
  return [
    ...new Set(
      served.flatMap(({ resource: { kind, plural }, words }) => [
        kind.toLowerCase(),
        plural,
        ...words.filter((word) => !word.includes(".")),
      ]),
    ),
  ];
};

/**
 * The kinds that a word means, as kubectl understands it: a plural, kind or short name, alone or followed by the group or version and
 * group. Ours come first. Throws `command.kind_unknown`.
 */
export const findResources = async (
  client: Client,
  word: string,
  call: Call,
): Promise<readonly [Resource, ...Resource[]]> => {
  const lower = word.toLowerCase();
  const wanted = own(aliases, lower) ?? lower;
  const served = await servedKinds(client, call);
  const [first, ...others] = served.filter(({ words }) => words.includes(wanted)).map((each) => each.resource);
  if (first !== undefined) return [first, ...others];
  const ours = served.filter((each) => rank(each.resource) === 0).map((each) => each.resource.kind.toLowerCase());
  const near = nearWords(
    lower,
    served.map((each) => each.resource.kind.toLowerCase()),
  );
  throw new CapstanError({
    code: "command.kind_unknown",
    reason: "KindUnknown",
    message: `the server has no kind ${word}; ${near.length > 0 ? `did you mean ${anyOf(near)}?` : `of Cluster API it has ${ours.join(", ")}`}`,
    retry: { kind: "never" },
  });
};

/** The first of the kinds that a word means. Throws `command.kind_unknown`. */
export const findResource = async (client: Client, word: string, call: Call): Promise<Resource> =>
  (await findResources(client, word, call))[0];
