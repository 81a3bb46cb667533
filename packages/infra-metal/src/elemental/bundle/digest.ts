import { createHash } from "node:crypto";

/** The digest of bytes, as OCI writes it. */
export const digestOf = (bytes: Uint8Array): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

/** Returns whether a text is a digest that bundles are known by. */
export const isDigest = (text: unknown): text is string =>
  typeof text === "string" && /^sha256:[0-9a-f]{64}$/.test(text);
