import { createHash } from "node:crypto";
import { plainTar } from "../archive/plain-tar.ts";
import { checkTar, type UnpackLimits } from "../archive/unpack.ts";
import { bundleError } from "./bundle-errors.ts";
import { describeBundle, wrongDigest, type BundleDescription } from "./describe-bundle.ts";
import { type Descriptor, readDocument } from "./documents.ts";
import type { BundleSource } from "./registry-client.ts";
import { layerOf, osIdsOf } from "./select-layer.ts";
import { isSignedByOne } from "./signature.ts";

/** The archive of a bundle for one platform. */
export interface InspectedPart {
  /** Such as `linux/amd64`; `any` in a bundle without an index. */
  readonly platform: string;
  /** Empty: all. */
  readonly osIds: readonly string[];
  readonly archive: string;
  /** Bytes of the archive as it is packed. */
  readonly size: number;
}

export interface InspectedBundle {
  readonly digest: string;
  readonly parts: readonly InspectedPart[];
  readonly signatures: number;
  /** True if one of the given keys has signed it; `undefined` when none was given. */
  readonly signed?: boolean;
}

export interface InspectOptions {
  /** PEM. */
  readonly publicKeys: readonly string[];
  readonly limits: UnpackLimits;
}

/** Reads an archive to its end, as a host does before it unpacks it. Throws `elemental.bundle_verification_failed`. */
const checkArchive = async (source: BundleSource, layer: Descriptor, limits: UnpackLimits): Promise<void> => {
  const { body } = await source.blob(layer.digest, 0);
  const hash = createHash("sha256");
  const hashed = async function* (): AsyncGenerator<Uint8Array> {
    for await (const part of body) {
      hash.update(part);
      yield part;
    }
  };
  const parts = hashed();
  // The reader stops at the end of the archive; what comes after it counts for the digest.
  const kept = { [Symbol.asyncIterator]: () => ({ next: () => parts.next() }) };
  try {
    await checkTar(plainTar(kept), limits);
  } catch (error) {
    await parts.return(undefined);
    throw bundleError(
      "verification_failed",
      `its archive ${layer.digest} is refused: ${(error as Error).message}`,
      error,
    );
  }
  for await (const _ of parts) continue;
  const found = `sha256:${hash.digest("hex")}`;
  if (found !== layer.digest) throw wrongDigest("archive", layer.digest, found);
};

interface Part {
  readonly entry: Descriptor | undefined;
  readonly layer: Descriptor;
}

const partsOf = ({ digest, documents }: BundleDescription): readonly Part[] => {
  const document = readDocument(documents.get(digest) ?? new Uint8Array());
  if (document.kind === "manifest") return [{ entry: undefined, layer: layerOf(document.layers) }];
  return document.manifests.flatMap((entry) => {
    const bytes = documents.get(entry.digest);
    const manifest = bytes === undefined ? undefined : readDocument(bytes);
    return manifest?.kind === "manifest" ? [{ entry, layer: layerOf(manifest.layers) }] : [];
  });
};

const inspectedPart = ({ entry, layer }: Part): InspectedPart => ({
  platform: entry?.platform === undefined ? "any" : `${entry.platform.os}/${entry.platform.architecture}`,
  osIds: (entry && osIdsOf(entry)) ?? [],
  archive: layer.digest,
  size: layer.size,
});

/** Reads and checks all of a bundle, as hosts do before they unpack it. Throws `elemental.bundle_*`, `elemental.unreachable`. */
export const inspectBundle = async (
  source: BundleSource,
  digest: string,
  { limits, publicKeys }: InspectOptions,
): Promise<InspectedBundle> => {
  const description = await describeBundle(source, digest);
  const parts = partsOf(description);
  for (const { layer } of parts) await checkArchive(source, layer, limits);
  const { signatures } = description;
  return {
    digest,
    parts: parts.map(inspectedPart),
    signatures: signatures.length,
    ...(publicKeys.length > 0 && { signed: isSignedByOne(digest, signatures, publicKeys) }),
  };
};
