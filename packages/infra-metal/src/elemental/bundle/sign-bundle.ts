import { createPrivateKey, createPublicKey, sign, type KeyObject } from "node:crypto";
import { bundleError } from "./bundle-errors.ts";
import { describeBundle } from "./describe-bundle.ts";
import { digestOf } from "./digest.ts";
import type { LayoutFolder } from "./layout-folder.ts";
import {
  type BundleSignature,
  isSignedByOne,
  signatureAnnotation,
  signaturePayloadType,
  signatureTag,
  signingKey,
} from "./signature.ts";

const manifestType = "application/vnd.oci.image.manifest.v1+json";
const configType = "application/vnd.oci.image.config.v1+json";

/** A private key in PEM, and what it is encrypted with. */
export interface PrivateKey {
  readonly pem: string;
  readonly passphrase?: string | undefined;
}

const readKey = ({ passphrase, pem }: PrivateKey): KeyObject => {
  if (pem.includes("SIGSTORE PRIVATE KEY") || pem.includes("COSIGN PRIVATE KEY")) {
    throw bundleError(
      "sign_failed",
      "the key is in cosign's own form; sign with cosign after the push, or import a PEM key into both",
    );
  }
  try {
    const key = createPrivateKey({ key: pem, ...(passphrase !== undefined && { passphrase }) });
    if (signingKey(publicPem(key)) !== undefined) return key;
  } catch (error) {
    throw bundleError(
      "sign_failed",
      "the private key cannot be read; give PEM, and its passphrase if it is encrypted",
      error,
    );
  }
  throw bundleError(
    "sign_failed",
    "the key is neither ECDSA P-256 nor Ed25519; make one with openssl genpkey -algorithm ed25519",
  );
};

const publicPem = (key: KeyObject): string => createPublicKey(key).export({ format: "pem", type: "spki" }).toString();

/** Returns the payload to sign, with its fields in the order of cosign. */
const payloadOf = (digest: string): Buffer =>
  Buffer.from(
    JSON.stringify({
      critical: {
        identity: { "docker-reference": "" },
        image: { "docker-manifest-digest": digest },
        type: "cosign container image signature",
      },
      optional: null,
    }),
  );

const store = async (layout: LayoutFolder, digest: string, signatures: readonly BundleSignature[]): Promise<void> => {
  const layers = await Promise.all(
    signatures.map(async ({ payload, signature }) => ({
      ...(await layout.put(signaturePayloadType, payload)),
      annotations: { [signatureAnnotation]: signature },
    })),
  );
  const diffIds = signatures.map(({ payload }) => digestOf(payload));
  const config = { architecture: "", os: "", config: {}, rootfs: { type: "layers", diff_ids: diffIds } };
  const manifest = { schemaVersion: 2, mediaType: manifestType, config: await layout.put(configType, config), layers };
  await layout.name(signatureTag(digest), await layout.put(manifestType, manifest));
};

/**
 * Signs the bundle of a layout as cosign does, beside the signatures that it has; returns the public key in PEM. A bundle that the key
 * has signed stays as it is. Throws `elemental.bundle_*`.
 */
export const signBundle = async (layout: LayoutFolder, key: PrivateKey): Promise<string> => {
  const privateKey = readKey(key);
  const digest = await layout.bundle();
  const { signatures } = await describeBundle(layout, digest);
  const pem = publicPem(privateKey);
  if (isSignedByOne(digest, signatures, [pem])) return pem;
  const payload = payloadOf(digest);
  const algorithm = privateKey.asymmetricKeyType === "ed25519" ? null : "sha256";
  const signature = sign(algorithm, payload, privateKey).toString("base64");
  await store(layout, digest, [...signatures, { payload, signature }]);
  return pem;
};
