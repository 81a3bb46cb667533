import { routing } from "@capstan/simulation";
import type { World } from "../world.ts";

/** Writes an operation of the API, below its version. */
export const route = routing<World>();

/** The number in a path, or -1, which nothing has as its id. */
export const idOf = (request: { readonly params: Readonly<Record<string, string>> }, name = "id"): number => {
  const value = request.params[name] ?? "";
  return /^\d+$/.test(value) ? Number(value) : -1;
};
