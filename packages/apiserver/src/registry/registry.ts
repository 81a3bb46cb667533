import { byText, compareVersions } from "@capstan/kube-values";
import type { Registry, RegistrySnapshot, ResourceDefinition } from "../model/types.ts";

const path = (group: string, version: string, plural: string): string => `${group}/${version}/${plural}`;

/** The owner whose groups keep the order in which they were given, before all others. */
export const builtinOwner = "builtin";

/** Of the Kubernetes community: without a group, its kinds are meant rather than others of the same name. */
const isOfCommunity = (group: string): boolean => /(?:^|[.-])(?:k8s|kubernetes)\.io$/.test(group);

/** The community's groups first, by name. */
const byGroupName = (left: string, right: string): number =>
  Number(isOfCommunity(right)) - Number(isOfCommunity(left)) || byText(left, right);

const snapshotOf = (revision: number, owners: ReadonlyMap<string, readonly ResourceDefinition[]>): RegistrySnapshot => {
  const byPath = new Map<string, ResourceDefinition>();
  const byKind = new Map<string, ResourceDefinition>();
  for (const definition of [...owners.values()].flat()) {
    byPath.set(path(definition.group, definition.version, definition.plural), definition);
    byKind.set(path(definition.group, definition.version, definition.kind), definition);
  }
  const fixed = new Set((owners.get(builtinOwner) ?? []).map(({ group }) => group));
  const all = new Set([...byPath.values()].map(({ group }) => group));
  const order = [
    ...[...fixed].filter((group) => all.has(group)),
    ...[...all].filter((group) => !fixed.has(group)).sort(byGroupName),
  ];
  const byGroup = Map.groupBy(byPath.values(), ({ group }) => group);
  const groups = order.map((group) => ({
    group,
    versions: [...new Set(byGroup.get(group)?.map(({ version }) => version))].sort(compareVersions),
  }));
  const definitions = groups.flatMap(({ group, versions }) =>
    versions.flatMap((version) =>
      (byGroup.get(group) ?? [])
        .filter((definition) => definition.version === version)
        .sort((left, right) => byText(left.plural, right.plural)),
    ),
  );
  return Object.freeze({
    revision,
    definitions,
    groups,
    find: (group: string, version: string, plural: string) => byPath.get(path(group, version, plural)),
    findKind: (group: string, version: string, kind: string) => byKind.get(path(group, version, kind)),
    resolve: ({ group, version, plural }) =>
      version === undefined
        ? definitions.find((definition) => definition.group === group && definition.plural === plural)
        : byPath.get(path(group, version, plural)),
  } satisfies RegistrySnapshot);
};

/** An empty registry. */
export const createRegistry = (): Registry => {
  const owners = new Map<string, readonly ResourceDefinition[]>();
  const listeners = new Set<(snapshot: RegistrySnapshot) => void>();
  let snapshot = snapshotOf(0, owners);
  return {
    get snapshot() {
      return snapshot;
    },
    replace: (owner, definitions) => {
      if (definitions.length === 0) {
        owners.delete(owner);
      } else {
        owners.set(owner, definitions);
      }
      snapshot = snapshotOf(snapshot.revision + 1, owners);
      for (const listener of listeners) {
        listener(snapshot);
      }
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
