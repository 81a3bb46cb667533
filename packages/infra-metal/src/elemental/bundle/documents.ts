import { isJsonObject, type JsonObject } from "@capstan/schema";
import { bundleError } from "./bundle-errors.ts";
import { isDigest } from "./digest.ts";

/** Something in a registry that is known by its digest. */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly annotations: Readonly<Record<string, string>>;
  /** `linux/amd64` and the like, of entries of an index. */
  readonly platform?: { readonly os: string; readonly architecture: string };
}

/** A manifest of OCI or of Docker. */
export type BundleDocument =
  | { readonly kind: "index"; readonly manifests: readonly Descriptor[] }
  | { readonly kind: "manifest"; readonly layers: readonly Descriptor[] };

/** Media types that are asked for. */
export const documentTypes = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.docker.distribution.manifest.v2+json",
] as const;

/** Largest manifest; registries have the same limit. */
export const maxDocumentBytes = 4 * 2 ** 20;
/** So many platforms has a bundle at most. */
const maxManifests = 64;

const texts = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(isJsonObject(value) ? value : {}).filter(([, text]) => typeof text === "string"),
  ) as Readonly<Record<string, string>>;

const descriptorOf = (value: unknown): Descriptor => {
  const { annotations, digest, mediaType, platform, size } = isJsonObject(value) ? value : ({} as JsonObject);
  if (!isDigest(digest) || typeof size !== "number" || !Number.isSafeInteger(size) || size < 0) {
    throw bundleError("verification_failed", "an entry of its manifest has no sha256 digest and size");
  }
  const { architecture = "", os = "" } = texts(platform);
  return {
    digest,
    size,
    mediaType: typeof mediaType === "string" ? mediaType : "",
    annotations: texts(annotations),
    ...(isJsonObject(platform) && { platform: { architecture, os } }),
  };
};

const listIn = (document: JsonObject, field: string): readonly Descriptor[] | undefined => {
  const list = document[field];
  return Array.isArray(list) ? list.map(descriptorOf) : undefined;
};

/** Reads a manifest or an index. Throws `elemental.bundle_verification_failed`. */
export const readDocument = (bytes: Uint8Array): BundleDocument => {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch (error) {
    throw bundleError("verification_failed", "its manifest is no JSON", error);
  }
  if (!isJsonObject(value)) throw bundleError("verification_failed", "its manifest is no JSON object");
  const manifests = listIn(value, "manifests");
  if (manifests !== undefined) {
    if (manifests.length > maxManifests) {
      throw bundleError("verification_failed", `its index has more than ${maxManifests} entries`);
    }
    return { kind: "index", manifests };
  }
  const layers = listIn(value, "layers");
  if (layers === undefined) throw bundleError("verification_failed", "its manifest has neither manifests nor layers");
  return { kind: "manifest", layers };
};
