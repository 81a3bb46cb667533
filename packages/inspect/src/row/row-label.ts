import type { Row } from "./row.ts";

/** Identity of an object. */
export type Place = Pick<Row, "group" | "kind" | "namespace" | "name">;

const isOfClusterApi = ({ group }: Place): boolean => /(^|\.)cluster\.x-k8s\.io$/.test(group);

/**
 * Returns the forms that tell objects in one list apart: with their namespace where there are several, with their group
 * where another one has the kind too.
 */
export const tellingApart = (
  rows: readonly Place[],
): { readonly namespaced: boolean; readonly kindOf: (row: Place) => string } => {
  const groups = new Map<string, string>();
  const shared = new Set<string>();
  for (const { group, kind } of rows) {
    if ((groups.get(kind) ?? group) !== group) shared.add(kind);
    groups.set(kind, group);
  }
  return {
    namespaced: new Set(rows.map(({ namespace }) => namespace).filter((namespace) => namespace !== "")).size > 1,
    kindOf: (row) => (shared.has(row.kind) && !isOfClusterApi(row) ? `${row.kind}.${row.group}` : row.kind),
  };
};

/** Labels of the form `Kind/name` for objects that are shown together. */
export const labelling = (rows: readonly Place[]): ((row: Place) => string) => {
  const { namespaced, kindOf } = tellingApart(rows);
  return (row) => {
    const label = `${kindOf(row)}/${row.name}`;
    return namespaced && row.namespace !== "" ? `${row.namespace} ${label}` : label;
  };
};
