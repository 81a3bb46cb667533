import type { KubeObject } from "@capstan/schema";
import { listOf, partOf, textOf } from "../values/object-parts.ts";
import type { Part } from "../values/object-parts.ts";
import type { PrinterColumn } from "../model/types.ts";
import { age } from "./age.ts";

type Cell = NonNullable<PrinterColumn["cell"]>;

/** A column of text with a computed cell. */
export const column = (name: string, description: string, cell: Cell): PrinterColumn => ({
  name,
  type: "string",
  description,
  cell,
});

/** A column of whole numbers. */
export const count = (name: string, description: string, cell: Cell): PrinterColumn => ({
  ...column(name, description, cell),
  type: "integer",
});

/** The same column, shown in wide output only. */
export const wide = (shown: PrinterColumn): PrinterColumn => ({ ...shown, priority: 1 });

export const nameColumn: PrinterColumn = {
  ...column("Name", "Name of the object.", ({ metadata }) => metadata.name ?? ""),
  format: "name",
};

export const ageColumn: PrinterColumn = column("Age", "Time since the object was created.", ({ metadata }, now) =>
  age(metadata.creationTimestamp, now),
);

export const createdColumn: PrinterColumn = {
  ...column("Created At", "When the object was created.", ({ metadata }) => metadata.creationTimestamp ?? ""),
  type: "date",
};

/** The value at a path of members; undefined when there is none. */
export const at = (object: KubeObject | Part, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => partOf(value)[name], object);

export const textAt = (object: KubeObject | Part, ...path: readonly string[]): string => textOf(at(object, ...path));
export const partAt = (object: KubeObject | Part, ...path: readonly string[]): Part => partOf(at(object, ...path));
export const partsAt = (object: KubeObject | Part, ...path: readonly string[]): readonly Part[] =>
  listOf(at(object, ...path)).map(partOf);

/** A number, 0 when there is none. */
export const numberAt = (object: KubeObject | Part, ...path: readonly string[]): number => {
  const value = at(object, ...path);
  return typeof value === "number" ? value : 0;
};

/** The text, or `<none>` for no text. */
export const orNone = (text: string): string => (text === "" ? "<none>" : text);

/** Items joined by commas, or `<none>`. */
export const joined = (items: readonly string[]): string => orNone(items.join(","));

/** Labels as `a=b,c=d`, sorted, or `<none>`. */
export const labelText = (labels: Part): string =>
  joined(
    Object.keys(labels)
      .sort()
      .map((key) => `${key}=${textOf(labels[key])}`),
  );

/** A number of the status, as columns show it. */
export const statusNumber =
  (field: string) =>
  (object: KubeObject): number =>
    numberAt(object, "status", field);
