import { CapstanError } from "@capstan/contract";

/** The error for an object that does not exist: `describe.not_found`. */
export const notFound = (message: string): CapstanError =>
  new CapstanError({ code: "describe.not_found", reason: "NotFound", message, retry: { kind: "never" } });
