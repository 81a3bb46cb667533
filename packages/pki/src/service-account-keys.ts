import { generateKeys, type KeyAlgorithm, privateKeyPem, publicKeyPem } from "./keys.ts";

/** PEM pair that signs and verifies ServiceAccount tokens: `publicKey` is PKIX, `privateKey` PKCS#1 or SEC 1. */
export interface ServiceAccountKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** A new key pair for ServiceAccount tokens. Default RSA-2048. */
export const createServiceAccountKeys = async (algorithm?: KeyAlgorithm): Promise<ServiceAccountKeys> => {
  const keys = await generateKeys(algorithm);
  return { publicKey: publicKeyPem(keys.publicKey), privateKey: privateKeyPem(keys.privateKey) };
};
