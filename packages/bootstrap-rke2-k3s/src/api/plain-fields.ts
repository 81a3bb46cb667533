import { boolean, list, map, optional, string } from "@capstan/schema";

/** Fields without any limits, as upstream's are. */
export const textField = (description: string) => optional(string({ description }));
export const flagField = (description: string) => optional(boolean({ description }));
export const textsField = (description: string, of: string) =>
  optional(list(string({ description: of }), { description }));
export const mapField = (description: string, of: string) =>
  optional(map(string({ description: of }), { description }));
