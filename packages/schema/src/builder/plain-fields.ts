import { list, map } from "./containers.ts";
import { optional, type OptionalField } from "./node.ts";
import { boolean, string } from "./scalars.ts";

/** An optional text without any limits. */
export const textField = (description: string): OptionalField<string> => optional(string({ description }));

/** An optional boolean. */
export const flagField = (description: string): OptionalField<boolean> => optional(boolean({ description }));

/** An optional list of texts without any limits; `of` describes one. */
export const textsField = (description: string, of: string): OptionalField<readonly string[]> =>
  optional(list(string({ description: of }), { description }));

/** An optional map of texts without any limits; `of` describes one. */
export const mapField = (description: string, of: string): OptionalField<Readonly<Record<string, string>>> =>
  optional(map(string({ description: of }), { description }));
