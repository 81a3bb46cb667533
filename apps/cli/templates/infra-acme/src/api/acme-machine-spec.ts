import { immutable, optional, text } from "@capstan/schema";

/** Fields of a server, the same in machines and in their templates. */
export const serverFields = {
  size: optional(immutable(text(64, "Plan of the server, for example `small`, which is the default."))),
} as const;
