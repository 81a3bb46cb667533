import type { KubeObject } from "@capstan/schema";
import type { PrinterColumn, ResourceDefinition } from "../model/types.ts";
import { cellOf } from "./column-cell.ts";

/** One column as a `Table` describes it. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** The `Table` of meta/v1. */
export interface Table {
  readonly kind: "Table";
  readonly apiVersion: "meta.k8s.io/v1";
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Null in all but the first event of a watch. */
  readonly columnDefinitions: readonly ColumnDefinition[] | null;
  readonly rows: readonly Row[];
}

/** One object of a `Table`. */
export interface Row {
  readonly cells: readonly unknown[];
  readonly object: unknown;
}

/** What of the object each row carries: a PartialObjectMetadata, everything, or null. */
export type IncludeObject = "Metadata" | "Object" | "None";

const nameColumn: PrinterColumn = {
  name: "Name",
  type: "string",
  format: "name",
  description: "Name of the object, unique among objects of its kind in its namespace.",
  jsonPath: ".metadata.name",
};

const ageColumn: PrinterColumn = {
  name: "Age",
  type: "date",
  description: "Time since the object was created.",
  jsonPath: ".metadata.creationTimestamp",
};

/** Custom resources always begin with the name and show at least their age. */
const columnsOf = ({ origin, columns }: ResourceDefinition): readonly PrinterColumn[] =>
  origin === "builtin" ? columns : [nameColumn, ...(columns.length === 0 ? [ageColumn] : columns)];

/** Makes the rows of objects of one kind; `now` in milliseconds. */
export const rowOf = (
  definition: ResourceDefinition,
  now: number,
  includeObject: IncludeObject,
): ((object: KubeObject) => Row) => {
  const cells = columnsOf(definition).map(cellOf);
  return (object) => ({ cells: cells.map((cell) => cell(object, now)), object: included(object, includeObject) });
};

/** The table form of objects of one kind, in the definition's version; `now` in milliseconds. */
export const tableOf = (options: {
  readonly definition: ResourceDefinition;
  readonly objects: readonly KubeObject[];
  readonly now: number;
  /** Default: Metadata. */
  readonly includeObject?: IncludeObject;
  /** Metadata of the list, or of the single object: resourceVersion, continue, remainingItemCount. */
  readonly listMeta?: Readonly<Record<string, unknown>>;
  /** False in all but the first event of a watch. Default: true. */
  readonly withColumns?: boolean;
}): Table => {
  const { definition, objects, now, includeObject = "Metadata", listMeta = {}, withColumns = true } = options;
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata: listMeta,
    columnDefinitions: withColumns ? columnsOf(definition).map(described) : null,
    rows: objects.map(rowOf(definition, now, includeObject)),
  };
};

const described = ({ name, type, format = "", description = "", priority = 0 }: PrinterColumn): ColumnDefinition => ({
  name,
  type,
  format,
  description,
  priority,
});

const included = (object: KubeObject, include: IncludeObject): unknown => {
  switch (include) {
    case "None":
      return null;
    case "Object":
      return object;
    default:
      return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: object.metadata };
  }
};
