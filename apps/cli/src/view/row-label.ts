import type { Row } from "./row.ts";

/** Whether objects are in more than one namespace, so that names alone do not tell them apart. */
export const inSeveralNamespaces = (rows: readonly Pick<Row, "namespace">[]): boolean =>
  new Set(rows.map(({ namespace }) => namespace).filter((namespace) => namespace !== "")).size > 1;

/** `Kind/name`, with its namespace where there are several. */
export const labelOf = (
  { kind, namespace, name }: Pick<Row, "kind" | "namespace" | "name">,
  several: boolean,
): string => (several && namespace !== "" ? `${namespace} ${kind}/${name}` : `${kind}/${name}`);
