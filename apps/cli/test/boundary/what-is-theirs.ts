import type { ProviderV1 } from "@capstan/contract/v1";
import { ConfigMapResource, SecretResource } from "@capstan/contract/wire";
import type { Client } from "@capstan/kube";
import { type KubeObject, type Resource, resource } from "@capstan/schema";
import { canary } from "./teams.ts";
import type { Clouds } from "./their-values.ts";

const Event = resource({ group: "", version: "v1", kind: "Event", plural: "events" });

export const everyKind = (providers: readonly ProviderV1[]): readonly Resource[] => [
  SecretResource,
  ConfigMapResource,
  Event,
  ...providers.flatMap(({ kinds }) => kinds).filter(({ namespaced }) => namespaced),
];

const label = ({ kind, metadata }: KubeObject): string => `${kind} ${metadata.namespace}/${metadata.name}`;

/** Every object of team-b with all that changes when it is written or replaced. */
export const theirObjects = async (
  client: Client,
  kinds: readonly Resource[],
): Promise<Readonly<Record<string, string>>> => {
  const found: Record<string, string> = {};
  for (const kind of kinds) {
    for (const object of (await client.list<KubeObject>(kind, { namespace: "team-b" })).items) {
      const { uid, resourceVersion, deletionTimestamp = "" } = object.metadata;
      found[`${kind.kind}.${kind.group} ${object.metadata.name}`] = [uid, resourceVersion, deletionTimestamp].join(" ");
    }
  }
  return found;
};

const decoded = (object: KubeObject): string => {
  const data = (object["data"] ?? {}) as Readonly<Record<string, string>>;
  const texts =
    object.kind === "Secret" ? Object.values(data).map((text) => Buffer.from(text, "base64").toString()) : [];
  return [JSON.stringify(object), ...texts].join("\n");
};

const hidden = [
  canary,
  ...[0, 1, 2].map((at) =>
    Buffer.from("?".repeat(at) + canary)
      .toString("base64")
      .slice(at === 0 ? 0 : 4, -4),
  ),
];

/** Objects anywhere but in team-b that hold what is team-b's alone, as text or in base64. */
export const leaked = async (client: Client, kinds: readonly Resource[]): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const kind of kinds) {
    for (const object of (await client.list<KubeObject>(kind)).items) {
      if (object.metadata.namespace === "team-b") continue;
      const text = decoded({ ...object, kind: kind.kind });
      if (hidden.some((each) => text.includes(each))) found.push(label(object));
    }
  }
  return found;
};

/** What is no longer as it was, or is new. */
export const changedObjects = (
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): readonly string[] =>
  Object.keys({ ...before, ...now })
    .filter((key) => now[key] !== before[key])
    .map((key) => `${key}: ${before[key] ?? "none"} is now ${now[key] ?? "gone"}`);

type Thing = Readonly<Record<string, unknown>>;

/** Everything that clouds and racks have, by what it is, without what counts or logs. */
export const outsideThings = ({ linode, azure, metal }: Clouds): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  const add = (place: string, things: readonly unknown[]): void => {
    for (const thing of things as readonly Thing[]) {
      const { id, label: name, key } = thing;
      found.set(`${place} ${String(id ?? name ?? key ?? thing["name"])}`, JSON.stringify(thing));
    }
  };
  const { instances, nodeBalancers, vpcs, firewalls, placementGroups, buckets, keys, objects, domains } =
    linode.simulator.state;
  Object.entries({ instances, nodeBalancers, vpcs, firewalls, placementGroups, buckets, keys, domains }).forEach(
    (each) => add(...each),
  );
  for (const [bucket, all] of Object.entries(objects)) add(`objects of ${bucket}`, all);
  const { groups = [], resources = [], roleAssignments = [], locks = [] } = azure?.simulator.state ?? {};
  Object.entries({ groups, resources, roleAssignments, locks }).forEach((each) => add(...each));
  const { machines = [] } = metal?.simulator.rack.state ?? {};
  add(
    "machines",
    machines.filter(({ name }) => name === "metal-1"),
  );
  return found;
};

/** What is no longer as it was. */
export const changedThings = (
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): readonly string[] =>
  [...before]
    .filter(([key, text]) => now.get(key) !== text)
    .map(([key, text]) => `${key}: ${text} is now ${now.get(key) ?? "gone"}`);

const isTheirs = (text: string): boolean => /team-b|theirs/.test(text);

/**
 * New things that name one of team-b's by its number, as a server in another's network does. At Azure, what an object's own credentials reach
 * is the object's to use.
 */
export const newUsers = (before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): readonly string[] => {
  const ids = [...before].filter(([, text]) => isTheirs(text)).flatMap(([key]) => /\d{6,}$/.exec(key)?.[0] ?? []);
  return [...now]
    .filter(([key]) => !before.has(key))
    .flatMap(([key, text]) =>
      ids.filter((id) => new RegExp(`:${id}[,}]`).test(text)).map((id) => `${key} uses ${id}: ${text}`),
    );
};
