import { bundleError } from "./bundle-errors.ts";
import { readDocument, type Descriptor } from "./documents.ts";

/** Architecture and operating system of a host. */
export interface Platform {
  /** As OCI names it: `amd64`. */
  readonly architecture: string;
  /** `ID` of /etc/os-release, then each of `ID_LIKE`. */
  readonly osIds: readonly string[];
}

/** Annotation of an entry of an index: the operating systems that it is for, with commas in between. Without it, for all. */
export const osAnnotation = "dev.capstan.components.os";

/** Media types of layers that are tar archives, packed or not. */
const layerType = /(?:tar|diff\.tar)(?:[.+](?:gzip|zstd))?$/;

/** Archives that agents cannot unpack. */
const packedOtherwise = /(?:tar|diff\.tar)[.+](?!(?:gzip|zstd)$)\w+$/;

/** Systems that an entry of an index is for; `undefined`: all. */
export const osIdsOf = ({ annotations }: Descriptor): readonly string[] | undefined =>
  annotations[osAnnotation]?.split(",").map((id) => id.trim());

/** The lower the better; `undefined`: it does not fit. */
const rankOf = (entry: Descriptor, { architecture, osIds }: Platform): number | undefined => {
  const { platform } = entry;
  if (platform !== undefined && (platform.os !== "linux" || platform.architecture !== architecture)) return undefined;
  const wanted = osIdsOf(entry);
  if (wanted === undefined) return osIds.length;
  const position = osIds.findIndex((id) => wanted.includes(id));
  return position < 0 ? undefined : position;
};

const described = (entry: Descriptor): string => {
  const { architecture, os } = entry.platform ?? { architecture: "any", os: "linux" };
  return [`${os}/${architecture}`, ...(osIdsOf(entry) ?? [])].join(" ");
};

const unsupported = (entries: readonly Descriptor[], { architecture, osIds }: Platform): Error =>
  bundleError(
    "platform_unsupported",
    `it has nothing for linux/${architecture} with ${osIds.join(", ") || "an unknown system"}; it is for ${entries.map(described).join("; ") || "nothing"}: add this platform to the bundle, or choose other hosts by spec.selector`,
  );

/** The manifests of an index that fit a host, the best one first. Throws `elemental.bundle_platform_unsupported`. */
const manifestFor = (entries: readonly Descriptor[], platform: Platform): Descriptor => {
  const fitting = entries
    .flatMap((entry) => {
      const rank = rankOf(entry, platform);
      return rank === undefined ? [] : [{ entry, rank }];
    })
    .toSorted((left, right) => left.rank - right.rank);
  const [best] = fitting;
  if (best === undefined) throw unsupported(entries, platform);
  return best.entry;
};

/** Returns the one layer of a manifest. Throws `elemental.bundle_verification_failed`. */
export const layerOf = (layers: readonly Descriptor[]): Descriptor => {
  const foreign = layers.find(({ mediaType }) => packedOtherwise.test(mediaType));
  if (foreign !== undefined) {
    throw bundleError(
      "verification_failed",
      `its layer has the media type ${foreign.mediaType}; make it tar, tar+gzip or tar+zstd (for example skopeo copy --dest-compress-format gzip)`,
    );
  }
  const archives = layers.filter(({ mediaType }) => layerType.test(mediaType));
  const [layer] = archives;
  if (layer === undefined || archives.length > 1) {
    throw bundleError(
      "verification_failed",
      `its manifest has ${archives.length} layers that are tar archives; a bundle has one`,
    );
  }
  return layer;
};

/** The archive for a host. `documents`: manifests by digest, which `digest` begins. Throws `elemental.bundle_*`. */
export const selectLayer = (
  digest: string,
  documents: ReadonlyMap<string, Uint8Array>,
  platform: Platform,
): Descriptor => {
  const document = readDocument(documentAt(digest, documents));
  if (document.kind === "manifest") return layerOf(document.layers);
  const entry = manifestFor(document.manifests, platform);
  const manifest = readDocument(documentAt(entry.digest, documents));
  if (manifest.kind === "index") throw bundleError("verification_failed", "its index names another index");
  return layerOf(manifest.layers);
};

const documentAt = (digest: string, documents: ReadonlyMap<string, Uint8Array>): Uint8Array => {
  const document = documents.get(digest);
  if (document === undefined) throw bundleError("download_failed", `its manifest ${digest} is missing`);
  return document;
};
