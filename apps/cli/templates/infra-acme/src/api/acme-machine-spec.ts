import { immutable, optional, text } from "@capstan/schema";

/** What a server is made from; the same in machines and in their templates. */
export const serverFields = {
  size: optional(immutable(text(64, "Plan of the server, for example `small`, which is the default."))),
} as const;
