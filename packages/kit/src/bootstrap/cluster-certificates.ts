import { CapstanError, clusterSecretType, isCapstanError, Label, SecretPurpose, type Clock } from "@capstan/contract";
import {
  createCertificateAuthority,
  createServiceAccountKeys,
  readCertificates,
  type KeyAlgorithm,
} from "@capstan/pki";
import type { OwnerReference } from "@capstan/schema";
import type { ClusterAccess } from "../roles/bootstrap/cluster-access.ts";
import { isControlPlaneInitialized } from "../roles/control-plane-initialized.ts";
import {
  clusterSecretKey,
  createClusterSecret,
  findClusterSecret,
  ownClusterSecret,
  type ClusterSecrets,
  type ReadOptions,
} from "./cluster-secret.ts";
import type { SecretText } from "../roles/bootstrap/cluster-secret-text.ts";
import { rootFile, type FileEntry } from "./file-entry.ts";

/** Certificates and keys of one purpose, as PEM text. An external authority has no key. */
export interface PemPair {
  readonly certificate: string;
  readonly key?: string;
}

/** The pairs that are there, by purpose. */
export type PemPairs = ReadonlyMap<string, PemPair>;

/** A certificate of a cluster, in Secret `<cluster>-<purpose>` with the keys `tls.crt` and `tls.key`. */
export interface ClusterCertificate {
  readonly purpose: string;
  /** `keys`: tls.crt is the public key of tls.key, as for ServiceAccount tokens. Default `authority`. */
  readonly holds?: "authority" | "keys";
  /** Common name of an authority that is generated. Default `kubernetes`. */
  readonly commonName?: string;
  /** Set for what only users supply: who needs it. It is never generated, and may come without a key. */
  readonly suppliedFor?: string;
  /** Where machines of the control plane have it. Without a path for the key, the key stays away. */
  readonly files?: { readonly certificate: string; readonly key?: string };
}

/** Options for creating missing certificates. */
export interface GenerateOptions {
  /** Owns every generated Secret; mark it as the controller. */
  readonly owner: OwnerReference;
  /** Default 3650. */
  readonly validityDays?: number | undefined;
  /** Default RSA-2048. */
  readonly algorithm?: KeyAlgorithm | undefined;
}

const nameOf = (access: Pick<ClusterAccess, "cluster">, { purpose }: ClusterCertificate): string => {
  const { namespace, name } = clusterSecretKey(access, purpose);
  return `Secret ${namespace}/${name}`;
};

const corrupt = (message: string, cause?: unknown): CapstanError =>
  new CapstanError({ code: "bootstrap.certificates_corrupt", reason: "CertificatesCorrupted", message, cause });

const missing = (message: string): CapstanError =>
  new CapstanError({ code: "bootstrap.certificates_missing", reason: "CertificatesMissing", message });

/**
 * Says that the Secret of a certificate is gone, what that means, and every way out. Once machines trust a certificate
 * it is never recreated: a different one would be a different cluster. `consequence` is a clause, for example "no machine can join".
 */
export const lostCertificate = (
  access: Pick<ClusterAccess, "cluster">,
  wanted: ClusterCertificate,
  consequence: string,
): string => {
  const { certificate, key } = wanted.files ?? {};
  const files = [certificate, key].filter((path) => path !== undefined).join(" and ");
  const copies = files === "" ? "" : ` from ${files} of a control-plane machine`;
  const label = `the label ${Label.clusterName}=${access.cluster.metadata.name ?? ""}`;
  const create = `create it with the type ${clusterSecretType}, ${label} and the keys tls.crt and tls.key${copies}`;
  const last = "it is never recreated: without a copy, delete and recreate the Cluster";
  return `${nameOf(access, wanted)} does not exist: ${consequence}. Restore it from a backup, or ${create}; ${last}`;
};

const checkAuthority = (where: string, certificate: string): void => {
  try {
    if (readCertificates(certificate).length > 0) return;
  } catch (error) {
    if (!isCapstanError(error)) throw error;
    throw corrupt(`${where}: tls.crt is not a PEM certificate`, error);
  }
  throw corrupt(`${where}: tls.crt contains no PEM certificate`);
};

const pairOf = (access: Pick<ClusterAccess, "cluster">, wanted: ClusterCertificate, data: SecretText): PemPair => {
  const { "tls.crt": certificate = "", "tls.key": key = "" } = data;
  const where = nameOf(access, wanted);
  if (certificate === "") throw corrupt(`${where} has no key tls.crt; put the ${wanted.purpose} certificate there`);
  if (wanted.holds !== "keys") checkAuthority(where, certificate);
  return key === "" ? { certificate } : { certificate, key };
};

const generate = async (clock: Clock, wanted: ClusterCertificate, options: GenerateOptions): Promise<SecretText> => {
  const { algorithm, validityDays } = options;
  if (wanted.holds === "keys") {
    const { privateKey, publicKey } = await createServiceAccountKeys(algorithm);
    return { "tls.crt": publicKey, "tls.key": privateKey };
  }
  const { certificate, key } = await createCertificateAuthority({
    now: clock.now(),
    ...(wanted.commonName !== undefined && { commonName: wanted.commonName }),
    ...(validityDays !== undefined && { validityDays }),
    ...(algorithm !== undefined && { algorithm }),
  });
  return { "tls.crt": certificate, "tls.key": key };
};

/** Asks for all at once; those without an answer are left out. */
const collect = async (
  certificates: readonly ClusterCertificate[],
  read: (wanted: ClusterCertificate) => Promise<PemPair | undefined>,
): Promise<PemPairs> => {
  const pairs = await Promise.all(certificates.map(async (wanted) => [wanted.purpose, await read(wanted)] as const));
  return new Map(pairs.flatMap(([purpose, pair]) => (pair === undefined ? [] : [[purpose, pair] as const])));
};

const find = async (
  access: ClusterAccess,
  wanted: ClusterCertificate,
  options: ReadOptions = {},
): Promise<PemPair | undefined> => {
  const supplied = wanted.suppliedFor !== undefined;
  const data = await findClusterSecret(access, wanted.purpose, { ...options, supplied });
  if (data !== undefined) return pairOf(access, wanted, data);
  if (wanted.suppliedFor === undefined) return undefined;
  throw missing(`${nameOf(access, wanted)} does not exist; ${wanted.suppliedFor} requires it`);
};

/**
 * The certificates that exist. Throws `bootstrap.certificates_missing` for one that users supply, `bootstrap.certificates_corrupt`, and
 * `bootstrap.cluster_secret_unmarked` for a Secret that does not say that it is the cluster's.
 */
export const findCertificates = (
  access: ClusterAccess,
  certificates: readonly ClusterCertificate[],
): Promise<PemPairs> => collect(certificates, (wanted) => find(access, wanted));

/**
 * The certificates of a new control plane: existing ones are used as they are, and missing ones are created and stored.
 * If another client stores one at the same time, that one is used. Throws as `findCertificates`.
 */
export const ensureCertificates = (
  access: ClusterAccess & { readonly clock: Clock },
  certificates: readonly ClusterCertificate[],
  options: GenerateOptions,
): Promise<PemPairs> =>
  collect(certificates, async (wanted) => {
    const present = await find(access, wanted, { confirm: wanted.suppliedFor !== undefined });
    if (present !== undefined) return present;
    const data = await generate(access.clock, wanted, options);
    return pairOf(access, wanted, await createClusterSecret(access, wanted.purpose, { data, owner: options.owner }));
  });

/** The certificates that a further machine of a control plane needs: all, with their keys. Throws as `findCertificates`. */
export const requireCertificates = (
  access: ClusterAccess,
  certificates: readonly ClusterCertificate[],
): Promise<PemPairs> =>
  collect(certificates, async (wanted) => {
    const data = await findClusterSecret(access, wanted.purpose, { supplied: wanted.suppliedFor !== undefined });
    if (data === undefined) {
      throw missing(lostCertificate(access, wanted, "no machine can join the control plane without it"));
    }
    const pair = pairOf(access, wanted, data);
    if (pair.key === undefined && wanted.suppliedFor === undefined) {
      throw missing(`${nameOf(access, wanted)} has no key tls.key, required to add control-plane machines; add it`);
    }
    return pair;
  });

/** Gives generated certificates that lost their controller `owner`; see `ownClusterSecret`. */
export const ownCertificates = async (
  access: ClusterAccess,
  certificates: readonly ClusterCertificate[],
  owner: OwnerReference,
): Promise<void> => {
  await Promise.all(certificates.map(({ purpose }) => ownClusterSecret(access, purpose, owner)));
};

/**
 * The cluster's authority, as joining workers pin it: with its key, unless that is kept elsewhere. The Secret is cached.
 * `wanted` says where machines have it. Throws as `findCertificates`.
 */
export const clusterAuthority = async (
  access: Pick<ClusterAccess, "cluster"> & ClusterSecrets,
  wanted: ClusterCertificate = { purpose: SecretPurpose.ca },
): Promise<PemPair> => {
  const data = await access.clusterSecret(wanted.purpose);
  if (data !== undefined) return pairOf(access, wanted, data);
  throw missing(
    isControlPlaneInitialized(access.cluster)
      ? lostCertificate(access, wanted, "machines cannot verify the cluster and therefore do not join")
      : `${nameOf(access, wanted)} does not exist yet; the control plane creates it`,
  );
};

/** The files a machine of the control plane gets, in the order of `certificates`: readable by its group, keys by root only. */
export const certificateFiles = (certificates: readonly ClusterCertificate[], pairs: PemPairs): readonly FileEntry[] =>
  certificates.flatMap(({ purpose, files }) => {
    const pair = pairs.get(purpose);
    if (pair === undefined || files === undefined) return [];
    const key = files.key === undefined || pair.key === undefined ? [] : [rootFile(files.key, pair.key, "0600")];
    return [rootFile(files.certificate, pair.certificate), ...key];
  });
