import type { Clock } from "@capstan/contract";
import {
  createCertificateAuthority,
  createServiceAccountKeys,
  type CertificateAndKey,
  type ServiceAccountKeys,
} from "@capstan/pki";
import type { Disk } from "../boot/disk.ts";
import { kubeadmError } from "./configuration.ts";

/** Which authorities a control plane needs, and where. */
export interface PkiPlace {
  readonly certificatesDir: string;
  /** The user has an etcd and keeps its authority. */
  readonly externalEtcd?: boolean;
}

const furtherAuthorities = ({ externalEtcd = false }: PkiPlace): readonly string[] =>
  externalEtcd ? ["front-proxy-ca"] : ["etcd/ca", "front-proxy-ca"];

/** The authorities and keys under the certificates directory; what is missing altogether is made, as `kubeadm init phase certs` does. */
export const readOrCreatePki = async (
  disk: Disk,
  place: PkiPlace,
  clock: Clock,
): Promise<{ readonly authority: CertificateAndKey; readonly serviceAccount: ServiceAccountKeys }> => {
  const directory = place.certificatesDir;
  for (const name of furtherAuthorities(place)) await authorityAt(disk, `${directory}/${name}`, clock);
  return {
    authority: await authorityAt(disk, `${directory}/ca`, clock),
    serviceAccount: await keysAt(disk, directory),
  };
};

/** As `readOrCreatePki`, but a joining control plane must have everything. */
export const readPki = (
  disk: Disk,
  place: PkiPlace,
): { readonly authority: CertificateAndKey; readonly serviceAccount: ServiceAccountKeys } => {
  const text = (path: string): string => {
    const found = disk.text(path);
    if (found === undefined) {
      throw kubeadmError(`one or more files required for a new control plane are missing: ${path}`);
    }
    return found;
  };
  const directory = place.certificatesDir;
  for (const name of furtherAuthorities(place)) text(`${directory}/${name}.crt`);
  return {
    authority: { certificate: text(`${directory}/ca.crt`), key: text(`${directory}/ca.key`) },
    serviceAccount: { publicKey: text(`${directory}/sa.pub`), privateKey: text(`${directory}/sa.key`) },
  };
};

/** One of the authorities that are on the disk after `readPki` or `readOrCreatePki`. */
export const authorityOn = (disk: Disk, { certificatesDir }: PkiPlace, name: string): CertificateAndKey => {
  const [certificate, key] = ["crt", "key"].map((suffix) => disk.text(`${certificatesDir}/${name}.${suffix}`));
  if (certificate === undefined || key === undefined) {
    throw kubeadmError(`couldn't load the certificate authority ${name} from ${certificatesDir}: no such file`);
  }
  return { certificate, key };
};

const authorityAt = async (disk: Disk, base: string, clock: Clock): Promise<CertificateAndKey> => {
  const [certificate, key] = [disk.text(`${base}.crt`), disk.text(`${base}.key`)];
  if (certificate !== undefined && key !== undefined) return { certificate, key };
  if (certificate !== undefined) {
    throw kubeadmError(`failure loading key for CA: couldn't load the private key file ${base}.key: no such file`);
  }
  const made = await createCertificateAuthority({ now: clock.now() });
  disk.write(`${base}.crt`, made.certificate, { permissions: "0644" });
  disk.write(`${base}.key`, made.key, { permissions: "0600" });
  return made;
};

const keysAt = async (disk: Disk, directory: string): Promise<ServiceAccountKeys> => {
  const [publicKey, privateKey] = [disk.text(`${directory}/sa.pub`), disk.text(`${directory}/sa.key`)];
  if (publicKey !== undefined && privateKey !== undefined) return { publicKey, privateKey };
  if (publicKey !== undefined) {
    throw kubeadmError(`couldn't load the private key file ${directory}/sa.key: no such file`);
  }
  const made = await createServiceAccountKeys();
  disk.write(`${directory}/sa.pub`, made.publicKey, { permissions: "0600" });
  disk.write(`${directory}/sa.key`, made.privateKey, { permissions: "0600" });
  return made;
};
