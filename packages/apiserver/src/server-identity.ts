import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { CapstanError } from "@capstan/contract";
import {
  type CertificateAndKey,
  createCertificateAuthority,
  createServiceAccountKeys,
  type ServiceAccountKeys,
} from "@capstan/pki";

/** What must stay the same when a server restarts, so that kubeconfigs and tokens remain valid. */
export interface ServerIdentity {
  readonly authority: CertificateAndKey;
  readonly serviceAccountKeys: ServiceAccountKeys;
}

const create = async (now: number): Promise<ServerIdentity> => {
  const [authority, serviceAccountKeys] = await Promise.all([
    // A name of its own: of two trusted authorities with one name, TLS looks at the first alone.
    createCertificateAuthority({ now, algorithm: "ECDSA-P256", commonName: `capstan-${randomUUID()}` }),
    createServiceAccountKeys("RSA-2048"),
  ]);
  return { authority, serviceAccountKeys };
};

const identityFile = (dataFile: string): string => `${dataFile}.identity.json`;

const read = (file: string): ServerIdentity | undefined => {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      return undefined;
    }
    throw error;
  }
  try {
    return JSON.parse(text) as ServerIdentity;
  } catch (error) {
    throw new CapstanError({
      code: "apiserver.identity_corrupt",
      reason: "IdentityCorrupt",
      message: `The file ${file} (certificate authority and token keys of the server) is damaged. Restore it from a backup, or remove it: every kubeconfig and token made before is void then`,
      retry: { kind: "never" },
      cause: error,
    });
  }
};

/** A new identity, or for a data file the one kept beside it (mode 0600). */
export const serverIdentity = async (now: number, dataFile: string | undefined): Promise<ServerIdentity> => {
  if (dataFile === undefined) {
    return await create(now);
  }
  const file = identityFile(dataFile);
  const known = read(file);
  if (known !== undefined) {
    return known;
  }
  const made = await create(now);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  return made;
};
