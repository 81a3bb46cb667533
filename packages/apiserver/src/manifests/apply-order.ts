import type { KubeObject } from "@capstan/schema";

/** Objects others refer to come first. */
const rank: Readonly<Record<string, number>> = {
  Namespace: 0,
  CustomResourceDefinition: 1,
  ServiceAccount: 2,
  Secret: 2,
  ConfigMap: 2,
};

/** In an order in which references resolve; within a rank the given order is kept. */
export const inApplyOrder = <T>(items: readonly T[], objectOf: (item: T) => KubeObject): readonly T[] =>
  items.toSorted((a, b) => (rank[objectOf(a).kind] ?? 3) - (rank[objectOf(b).kind] ?? 3));
