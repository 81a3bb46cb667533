import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { PkiErrorCode, unusable } from "./errors.ts";

/** As kubeadm's `encryptionAlgorithm` names them. */
export type KeyAlgorithm = "RSA-2048" | "RSA-3072" | "RSA-4096" | "ECDSA-P256" | "ECDSA-P384";

/** A private key and its public half, as node:crypto objects. */
export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** `traditional` is PKCS#1 (`RSA PRIVATE KEY`) or SEC 1 (`EC PRIVATE KEY`), by the kind of key. */
export type PrivateKeyEncoding = "traditional" | "pkcs8";

const generate = promisify(generateKeyPair);

/** Makes a key pair on a pool thread; RSA takes tens of milliseconds, so reuse keys. Default RSA-2048. */
export const generateKeys = async (algorithm: KeyAlgorithm = "RSA-2048"): Promise<KeyPair> => {
  const [family, size] = algorithm.split("-") as ["RSA" | "ECDSA", string];
  return family === "RSA"
    ? await generate("rsa", { modulusLength: Number(size), publicExponent: 65_537 })
    : await generate("ec", { namedCurve: size === "P256" ? "prime256v1" : "secp384r1" });
};

/** Reads a private key in PKCS#1, SEC 1 or PKCS#8 PEM. Throws `pki.bad_key`. */
export const readPrivateKey = (pem: string): KeyPair => {
  try {
    const privateKey = createPrivateKey(pem);
    return { privateKey, publicKey: createPublicKey(pem) };
  } catch (error) {
    throw unusable(
      PkiErrorCode.badKey,
      "The private key cannot be read: it must be unencrypted PEM in PKCS#1, SEC 1 or PKCS#8 form",
      error,
    );
  }
};

/** Reads a `PUBLIC KEY` PEM, or takes the public half of a private key. Throws `pki.bad_key`. */
export const readPublicKey = (pem: string): KeyObject => {
  try {
    return createPublicKey(pem);
  } catch (error) {
    throw unusable(PkiErrorCode.badKey, "The public key cannot be read: it must be a PEM in PKIX form", error);
  }
};

/** PEM of a private key. Default `traditional`, as kubeadm writes keys. */
export const privateKeyPem = (key: KeyObject, encoding: PrivateKeyEncoding = "traditional"): string => {
  if (encoding === "pkcs8") {
    return key.export({ format: "pem", type: "pkcs8" }).toString();
  }
  return key.asymmetricKeyType === "rsa"
    ? key.export({ format: "pem", type: "pkcs1" }).toString()
    : key.export({ format: "pem", type: "sec1" }).toString();
};

/** PKIX `PUBLIC KEY` PEM. */
export const publicKeyPem = (key: KeyObject): string => key.export({ format: "pem", type: "spki" }).toString();
