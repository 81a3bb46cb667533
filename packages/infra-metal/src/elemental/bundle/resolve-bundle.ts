import { bundleError } from "./bundle-errors.ts";
import { digestOf } from "./digest.ts";
import { readDocument } from "./documents.ts";
import type { ImageReference } from "./image-reference.ts";
import type { BundleSource } from "./registry-client.ts";

/** Returns the digest that a reference means now. Throws `elemental.bundle_*`, `elemental.unreachable`. */
export const resolveBundle = async (reference: ImageReference, source: BundleSource): Promise<string> => {
  if (reference.digest !== undefined) return reference.digest;
  const { registry, repository, tag = "latest" } = reference;
  const bytes = await source.document(tag);
  if (bytes === undefined) throw bundleError("download_failed", `the registry ${registry} has no ${repository}:${tag}`);
  readDocument(bytes);
  return digestOf(bytes);
};
