import type { HttpErrors } from "@capstan/kit";
import { isJsonObject } from "@capstan/schema";

/** Meanings of Acme's answers beyond their status. */
export const acmeErrors: HttpErrors = {
  // More servers have to be asked for at Acme, where no one here sees it.
  rules: [{ status: 402, code: "quota_exceeded", reason: "QuotaExceeded", retry: { kind: "after", ms: 300_000 } }],
  message: ({ body }) => (isJsonObject(body) && typeof body["message"] === "string" ? body["message"] : undefined),
};
