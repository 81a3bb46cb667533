import type { Requests } from "../http/requests.ts";
import { bundleError } from "./bundle-errors.ts";
import { digestOf } from "./digest.ts";
import { readDocument } from "./documents.ts";
import { imageReference } from "./image-reference.ts";
import { registrySource } from "./registry-client.ts";

/** The digest that an image reference means now. Throws `elemental.bundle_*`, `elemental.unreachable`. */
export const resolveBundle = async (image: string, requests: Requests, signal: AbortSignal): Promise<string> => {
  const reference = imageReference(image);
  if (reference.digest !== undefined) return reference.digest;
  const { registry, repository, tag = "latest" } = reference;
  const bytes = await registrySource(reference, requests, signal).document(tag);
  if (bytes === undefined) throw bundleError("download_failed", `the registry ${registry} has no ${repository}:${tag}`);
  readDocument(bytes);
  return digestOf(bytes);
};
