import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import type { HostFiles } from "./host-system.ts";

/** Who issues the tokens of hosts. */
const issuer = "elemental-capi-agent";
const earlierSeconds = 2;
const lifeSeconds = 60;

/** The key by which a host is known. */
export interface Identity {
  /** PKIX PEM. */
  readonly publicKey: string;
  /** A token for one request. */
  token(options: { readonly host: string; readonly uri: string; readonly now: number }): Promise<string>;
}

const identityOf = (key: KeyObject): Identity => ({
  publicKey: createPublicKey(key).export({ format: "pem", type: "spki" }).toString(),
  token: ({ host, now, uri }) => {
    const seconds = Math.floor(now / 1000);
    return new SignJWT({})
      .setProtectedHeader({ alg: "EdDSA" })
      .setIssuer(issuer)
      .setSubject(host)
      .setAudience(uri)
      .setIssuedAt(seconds)
      .setNotBefore(seconds - earlierSeconds)
      .setExpirationTime(seconds + lifeSeconds)
      .sign(key);
  },
});

/** The file with the private key of a host. */
export const keyPath = (workDir: string): string => `${workDir}/private.key`;

/** The identity of this host; made when there is none. */
export const loadIdentity = async (files: HostFiles, workDir: string): Promise<Identity> => {
  const stored = await files.read(keyPath(workDir));
  if (stored !== undefined) return identityOf(createPrivateKey(Buffer.from(stored)));
  const { privateKey } = generateKeyPairSync("ed25519");
  const pem = privateKey.export({ format: "pem", type: "pkcs8" }).toString();
  await files.write(keyPath(workDir), pem, { mode: 0o640 });
  return identityOf(privateKey);
};

/** The host is another user from now on. */
export const forgetIdentity = (files: HostFiles, workDir: string): Promise<void> => files.remove(keyPath(workDir));
