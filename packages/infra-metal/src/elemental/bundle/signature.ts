import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { isJsonObject } from "@capstan/schema";
import { bundleError } from "./bundle-errors.ts";

/** A signature of simple signing, as cosign stores it. */
export interface BundleSignature {
  /** The bytes that are signed. */
  readonly payload: Uint8Array;
  /** Base64. */
  readonly signature: string;
}

/** Media type and annotation by which cosign stores signatures. */
export const signaturePayloadType = "application/vnd.dev.cosign.simplesigning.v1+json";
export const signatureAnnotation = "dev.cosignproject.cosign/signature";

/** The tag under which the signatures of a manifest are. */
export const signatureTag = (digest: string): string => `${digest.replace(":", "-")}.sig`;

/** Reads a public key that signatures are checked with; `undefined` when it is none of the two kinds. */
export const signingKey = (pem: string): KeyObject | undefined => {
  try {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType === "ed25519") return key;
    return key.asymmetricKeyDetails?.namedCurve === "prime256v1" ? key : undefined;
  } catch {
    return undefined;
  }
};

const isSignedBy = (key: KeyObject, { payload, signature }: BundleSignature): boolean =>
  verify(key.asymmetricKeyType === "ed25519" ? null : "sha256", payload, key, Buffer.from(signature, "base64"));

/** Returns the digest that a payload claims to be about; `undefined`: none. */
const digestIn = (payload: Uint8Array): unknown => {
  try {
    const value: unknown = JSON.parse(Buffer.from(payload).toString("utf8"));
    const critical = isJsonObject(value) ? value["critical"] : undefined;
    const image = isJsonObject(critical) ? critical["image"] : undefined;
    return isJsonObject(image) ? image["docker-manifest-digest"] : undefined;
  } catch {
    return undefined;
  }
};

/** Signatures that are about a digest. */
const about = (digest: string, signatures: readonly BundleSignature[]): readonly BundleSignature[] =>
  signatures.filter(({ payload }) => digestIn(payload) === digest);

/** Returns whether one of the keys has signed the digest. */
export const isSignedByOne = (
  digest: string,
  signatures: readonly BundleSignature[],
  publicKeys: readonly string[],
): boolean => {
  const keys = publicKeys.flatMap((pem) => signingKey(pem) ?? []);
  return about(digest, signatures).some((signature) => keys.some((key) => isSignedBy(key, signature)));
};

/** Throws `elemental.bundle_verification_failed` unless one of the keys has signed the digest. */
export const checkSignature = (
  digest: string,
  signatures: readonly BundleSignature[],
  publicKeys: readonly string[],
): void => {
  if (isSignedByOne(digest, signatures, publicKeys)) return;
  const { length } = about(digest, signatures);
  const found =
    length === 0
      ? "it has no signature"
      : `none of its ${length} signatures is by a key of spec.components.signature.publicKeys`;
  throw bundleError("verification_failed", `${found}; sign ${digest} with one of the keys (cosign sign --key)`);
};
