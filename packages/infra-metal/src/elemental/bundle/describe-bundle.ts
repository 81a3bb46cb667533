import { isJsonObject } from "@capstan/schema";
import { bundleError } from "./bundle-errors.ts";
import { digestOf } from "./digest.ts";
import { readDocument } from "./documents.ts";
import type { BundleSource } from "./registry-client.ts";
import { signatureAnnotation, signatureTag, type BundleSignature } from "./signature.ts";

/** Everything about a bundle but its archives. */
export interface BundleDescription {
  readonly digest: string;
  /** Manifests by digest. */
  readonly documents: ReadonlyMap<string, Uint8Array>;
  readonly signatures: readonly BundleSignature[];
}

const documentAt = async (source: BundleSource, digest: string): Promise<Uint8Array> => {
  const bytes = await source.document(digest);
  if (bytes === undefined) throw bundleError("download_failed", `the registry has no manifest ${digest}`);
  if (digestOf(bytes) !== digest) throw wrongDigest("manifest", digest, digestOf(bytes));
  return bytes;
};

/** Returns the error for content that does not have the expected digest. */
export const wrongDigest = (what: string, wanted: string, found: string): Error =>
  bundleError("verification_failed", `its ${what} must have the digest ${wanted}, but what was sent has ${found}`);

/** Signatures, where there are any. They prove nothing before they are checked. */
const signaturesOf = async (source: BundleSource, digest: string): Promise<readonly BundleSignature[]> => {
  const bytes = await source.document(signatureTag(digest));
  if (bytes === undefined) return [];
  const document = readDocument(bytes);
  if (document.kind === "index") return [];
  return Promise.all(
    document.layers.flatMap(({ annotations, digest: payload }) => {
      const signature = annotations[signatureAnnotation];
      return signature === undefined
        ? []
        : [source.smallBlob(payload).then((signed): BundleSignature => ({ payload: signed, signature }))];
    }),
  );
};

/** Reads the manifests and signatures of a bundle. Throws `elemental.bundle_*`, `elemental.unreachable`. */
export const describeBundle = async (source: BundleSource, digest: string): Promise<BundleDescription> => {
  const first = await documentAt(source, digest);
  const documents = new Map([[digest, first]]);
  const document = readDocument(first);
  if (document.kind === "index") {
    const linux = document.manifests.filter(({ platform }) => platform === undefined || platform.os === "linux");
    const manifests = await Promise.all(
      linux.map(async (entry) => [entry.digest, await documentAt(source, entry.digest)] as const),
    );
    for (const [key, bytes] of manifests) documents.set(key, bytes);
  }
  return { digest, documents, signatures: await signaturesOf(source, digest) };
};

/** A description as JSON. */
export interface SentDescription {
  /** Base64 by digest. */
  readonly documents: Readonly<Record<string, string>>;
  readonly signatures: readonly { readonly payload: string; readonly signature: string }[];
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

export const sentDescription = ({ documents, signatures }: BundleDescription): SentDescription => ({
  documents: Object.fromEntries([...documents].map(([digest, bytes]) => [digest, base64(bytes)])),
  signatures: signatures.map(({ payload, signature }) => ({ payload: base64(payload), signature })),
});

/** Reads what was sent, and trusts nothing of it but what has the right digest. Throws `elemental.bundle_verification_failed`. */
export const receivedDescription = (digest: string, sent: unknown): BundleDescription => {
  const { documents = {}, signatures = [] } = (isJsonObject(sent) ? sent : {}) as Partial<SentDescription>;
  const received = Object.entries(documents).map(([key, text]) => {
    const bytes = new Uint8Array(Buffer.from(text, "base64"));
    if (digestOf(bytes) !== key) throw wrongDigest("manifest", key, digestOf(bytes));
    return [key, bytes] as const;
  });
  return {
    digest,
    documents: new Map(received),
    signatures: signatures.map(({ payload, signature }) => ({
      payload: new Uint8Array(Buffer.from(payload, "base64")),
      signature,
    })),
  };
};
