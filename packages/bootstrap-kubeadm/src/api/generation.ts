import { list, text } from "@capstan/schema";
import type { Node } from "@capstan/schema";

/** Limits of lists and objects in an API version. */
export interface Generation {
  readonly list: { readonly minItems?: number; readonly type?: "atomic" };
  /** Lists that may be empty. */
  readonly openList: { readonly type?: "atomic" };
  readonly object: { readonly minProperties?: number };
}

export const v1beta1: Generation = { list: {}, openList: {}, object: {} };

/** Leave out what is empty: empty lists and objects are refused. */
export const v1beta2: Generation = {
  list: { minItems: 1, type: "atomic" },
  openList: { type: "atomic" },
  object: { minProperties: 1 },
};

/** A list of non-empty texts; `of` says what one of them is. */
export const texts = (
  description: string,
  of: string,
  options: {
    readonly maxLength: number;
    readonly maxItems?: number;
    readonly minItems?: number;
    readonly type?: "atomic";
  },
): Node<readonly string[]> => {
  const { maxLength, ...limits } = options;
  return list(text(maxLength, of), { description, ...limits });
};
