import type { ContractReference } from "@capstan/contract/wire";
import { createDiscovery, type Client } from "@capstan/kube";
import { groupOf } from "@capstan/kube-values";
import type { KubeObject, Resource } from "@capstan/schema";
import type { Trial } from "../up/apply.ts";

/** Which object is meant. */
export type Reference = Pick<ContractReference, "apiGroup" | "kind" | "name">;

/** An object as it is and as it would be. */
export interface Found {
  readonly before: KubeObject | undefined;
  readonly after: KubeObject | undefined;
}

/** The management API as it would be. */
export interface World {
  find(reference: Reference, namespace: string): Promise<Found>;
  /** Every object of a kind that there would be; as it is and as it would be are of one version, that of the file which has it. */
  list(kind: Pick<Resource, "group" | "kind">): Promise<readonly (Found & { readonly after: KubeObject })[]>;
}

const keyOf = (group: string, kind: string, namespace: string, name: string): string =>
  `${group}/${kind}/${namespace}/${name}`;

const keyOfObject = ({ apiVersion, kind, metadata }: KubeObject): string =>
  keyOf(groupOf(apiVersion), kind, metadata.namespace ?? "", metadata.name ?? "");

/** Returns the existing objects, overlaid with those that were tried. */
export const worldOf = (
  trials: readonly Trial[],
  { client, signal }: { readonly client: Client; readonly signal: AbortSignal },
): World => {
  const tried = new Map(trials.map((trial) => [keyOfObject(trial.after), trial]));
  const discovery = createDiscovery(client);
  const present = new Map<string, Promise<KubeObject | undefined>>();
  const read = async (
    { apiGroup: group, kind, name }: Reference,
    namespace: string,
  ): Promise<KubeObject | undefined> => {
    const resource = await discovery.resourceFor({ group, kind }, { signal });
    if (resource === undefined) return undefined;
    return client.find(resource, resource.namespaced ? { namespace, name } : { name }, { signal });
  };
  return {
    find: async (reference, namespace) => {
      const key = keyOf(reference.apiGroup, reference.kind, namespace, reference.name);
      const trial = tried.get(key);
      if (trial !== undefined) return { before: trial.before, after: trial.after };
      const found = present.get(key) ?? read(reference, namespace);
      present.set(key, found);
      const object = await found;
      return { before: object, after: object };
    },
    list: async (kind) => {
      const served = await discovery.resourceFor({ group: kind.group, kind: kind.kind }, { signal });
      const { items } = served === undefined ? { items: [] } : await client.list(served, { signal });
      const keys = new Set(items.map(keyOfObject));
      const isOfKind = ({ apiVersion, kind: name }: KubeObject): boolean =>
        name === kind.kind && groupOf(apiVersion) === kind.group;
      const added = trials.filter(({ after }) => isOfKind(after) && !keys.has(keyOfObject(after)));
      return [
        ...items.map((object) => {
          const trial = tried.get(keyOfObject(object));
          return { before: trial?.before ?? object, after: trial?.after ?? object };
        }),
        ...added.map(({ before, after }) => ({ before, after })),
      ];
    },
  };
};
