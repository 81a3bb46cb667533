import { jsonText } from "@capstan/schema/structural";
import type { KubeObject } from "@capstan/schema";
import type { PrinterColumn } from "../model/types.ts";
import { age } from "./age.ts";
import { parseJsonPath } from "./json-path.ts";
import type { JsonPath } from "./json-path.ts";

/** Computes the cells of one column; `now` in milliseconds. */
export type CellOf = (object: KubeObject, now: number) => unknown;

/** Prepares a column for many objects: the path is read once. */
export const cellOf = (column: PrinterColumn): CellOf => {
  const { cell, jsonPath, type } = column;
  if (cell !== undefined) {
    return cell;
  }
  const path: JsonPath | undefined = jsonPath === undefined ? undefined : parseJsonPath(jsonPath);
  return (object, now) => {
    const [value] = path?.(object) ?? [];
    return value === undefined ? null : printed(value, type, now);
  };
};

const printed = (value: unknown, type: PrinterColumn["type"], now: number): unknown => {
  switch (type) {
    case "integer":
      return typeof value === "number" ? Math.trunc(value) : typeof value === "bigint" ? value : null;
    case "number":
      return typeof value === "number" || typeof value === "bigint" ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      return value === null ? null : age(value, now);
    default:
      return text(value);
  }
};

const text = (value: unknown): string => {
  if (value === null) {
    return "<no value>";
  }
  return typeof value === "string" ? value : jsonText(value);
};
