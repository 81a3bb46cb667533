import type { KubeObject } from "@capstan/schema";

/** Objects that others refer to by their name alone come first. */
const rank: Readonly<Record<string, number>> = {
  Namespace: 0,
  CustomResourceDefinition: 1,
  ServiceAccount: 2,
  Secret: 2,
  ConfigMap: 2,
};

const nameOf = (kind: unknown, name: unknown): string => `${String(kind)} ${String(name)}`;

/** Everything that a value refers to by kind and name, or as its cluster. */
const referencesIn = function* (value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  const { clusterName, kind, name } = value as Readonly<Record<string, unknown>>;
  if (typeof kind === "string" && typeof name === "string") yield nameOf(kind, name);
  if (typeof clusterName === "string") yield nameOf("Cluster", clusterName);
  for (const member of Object.values(value)) yield* referencesIn(member);
};

/**
 * In an order in which references resolve: an object comes after those of the same items that it refers to by kind and name. Otherwise the
 * given order is kept, and among objects that refer to each other, too.
 */
export const inApplyOrder = <T>(items: readonly T[], objectOf: (item: T) => KubeObject): readonly T[] => {
  const ranked = items.toSorted((a, b) => (rank[objectOf(a).kind] ?? 3) - (rank[objectOf(b).kind] ?? 3));
  const byName = Map.groupBy(ranked, (item) => nameOf(objectOf(item).kind, objectOf(item).metadata.name));
  const ordered = new Set<T>();
  const begun = new Set<T>();
  const add = (item: T): void => {
    if (begun.has(item)) return;
    begun.add(item);
    for (const name of referencesIn(objectOf(item))) byName.get(name)?.forEach(add);
    ordered.add(item);
  };
  ranked.forEach(add);
  return [...ordered];
};
