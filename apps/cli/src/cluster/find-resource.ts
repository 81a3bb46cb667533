import { CapstanError, isCapstanError } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import { resource, type Resource } from "@capstan/schema";

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
        words: [plural, kind.toLowerCase(), `${plural}.${group}`, ...shortNames, singularName].filter(
          (word) => word !== "",
        ),
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
      served.flatMap(({ resource: { kind, plural }, words }) => [kind.toLowerCase(), plural, ...words.slice(3)]),
    ),
  ];
};

/** The kind that a word means, as kubectl understands it: its plural, kind, short name or `plural.group`. Throws `command.kind_unknown`. */
export const findResource = async (client: Client, word: string, call: Call): Promise<Resource> => {
  const lower = word.toLowerCase();
  const wanted = aliases[lower] ?? lower;
  const served = await servedKinds(client, call);
  const found = served.find(({ words }) => words.includes(wanted));
  if (found !== undefined) return found.resource;
  const ours = served.filter((each) => rank(each.resource) === 0).map((each) => each.resource.kind.toLowerCase());
  throw new CapstanError({
    code: "command.kind_unknown",
    reason: "KindUnknown",
    message: `the server has no kind ${word}; of Cluster API it has ${ours.join(", ")}`,
    retry: { kind: "never" },
  });
};
