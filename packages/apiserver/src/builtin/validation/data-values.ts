import { type JsonObject, type KubeObject, sameJson } from "@capstan/schema";
import { partOf, textOf } from "../../values/object-parts.ts";
import { type Causes, forbidden, invalid, tooLong } from "./causes.ts";

const maxDataBytes = 1_048_576;

const dataKey = /^[-._a-zA-Z0-9]+$/;

const isFileName = (key: string): boolean =>
  key.length <= 253 && key !== "." && !key.startsWith("..") && dataKey.test(key);

/** Causes for keys that cannot be file names. */
export const dataKeyCauses = (field: string, data: unknown): Causes =>
  Object.keys(partOf(data))
    .filter((key) => !isFileName(key))
    .map((key) =>
      invalid(
        `${field}[${key}]`,
        key,
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.', at most 253 of them",
      ),
    );

/** Bytes that base64 text stands for. */
const decodedBytes = (text: unknown): number => Buffer.byteLength(textOf(text), "base64");

/** By name: to list the values of very many members takes several times as long as to list their names. */
const bytesIn = (data: JsonObject, bytesOf: (text: unknown) => number): number => {
  let bytes = 0;
  for (const key of Object.keys(data)) bytes += bytesOf(data[key]);
  return bytes;
};

/** A cause when plain and base64 data together are too large. */
export const dataSizeCauses = (field: string, plain: unknown, binary: unknown): Causes => {
  const plainBytes = bytesIn(partOf(plain), (text) => Buffer.byteLength(textOf(text)));
  const binaryBytes = bytesIn(partOf(binary), decodedBytes);
  return plainBytes + binaryBytes > maxDataBytes ? [tooLong(field, maxDataBytes)] : [];
};

/** Causes when an object with `immutable` set changes its data or loses the mark. */
export const immutableDataCauses = (object: KubeObject, old: KubeObject, fields: readonly string[]): Causes => {
  if (old["immutable"] !== true) {
    return [];
  }
  const message = "field is immutable when `immutable` is set";
  return [
    ...(object["immutable"] === true ? [] : [forbidden("immutable", message)]),
    ...fields
      .filter((field) => !sameJson(partOf(object[field]), partOf(old[field])))
      .map((field) => forbidden(field, message)),
  ];
};
