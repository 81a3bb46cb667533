import { list, object, open, type ObjectShape, type Shape, text } from "@capstan/simulation";
import { readOnly } from "./writable.ts";

/** The ID of another resource, of which clients may send everything that they have read. */
export const ref = open(object({ id: text({ min: 1 }) }, ["id"]));
export const refs = list(ref);

export const texts = list(text());
export const zones = list(text({ min: 1 }));

/** An edge zone. */
export const extendedLocation = object({ name: text(), type: text({ enum: ["EdgeZone"] }) });

export const skuOf = (names: readonly string[]): ObjectShape =>
  object({ name: text({ enum: names }), tier: text({ enum: ["Regional", "Global"] }) }, ["name"]);

/** Returns the allowed body of a part, written at its own address or in the list of its resource. */
export const partOf = (properties: ObjectShape, more: Readonly<Record<string, Shape>> = {}): ObjectShape =>
  object({ id: readOnly, name: text(), type: readOnly, etag: readOnly, ...more, properties });
