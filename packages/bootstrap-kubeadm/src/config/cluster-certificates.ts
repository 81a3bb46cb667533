import { CapstanError, clusterSecretType, isCapstanError, Label, SecretPurpose, type Clock } from "@capstan/contract";
import { clusterSecretName, SecretResource } from "@capstan/contract/wire";
import { secretBytes, secretText } from "@capstan/kit/bootstrap";
import type { Client } from "@capstan/kube";
import {
  createCertificateAuthority,
  createServiceAccountKeys,
  readCertificates,
  type KeyAlgorithm,
} from "@capstan/pki";
import type { KubeObject, OwnerReference } from "@capstan/schema";
import type { ClusterCertificates, PemPair } from "../render/certificate-files.ts";

type Purpose = keyof ClusterCertificates;

const secretSuffix = {
  ca: SecretPurpose.ca,
  etcd: SecretPurpose.etcd,
  proxy: SecretPurpose.proxy,
  serviceAccount: SecretPurpose.serviceAccount,
  apiServerEtcdClient: SecretPurpose.apiServerEtcdClient,
} as const satisfies Readonly<Record<Purpose, string>>;

export interface CertificateAccess {
  readonly client: Client;
  readonly cluster: KubeObject;
  readonly clock: Clock;
  readonly call: { readonly signal: AbortSignal };
  /** The contents of a Secret of the Cluster's namespace, which need not be read anew each time. */
  secret(name: string): Promise<Readonly<Record<string, string>> | undefined>;
}

export interface GenerateOptions {
  /** Becomes the controller of every generated Secret. */
  readonly owner: OwnerReference;
  readonly caValidityDays?: number;
  readonly algorithm?: KeyAlgorithm;
}

const nameOf = (access: CertificateAccess, purpose: Purpose): string =>
  clusterSecretName(access.cluster.metadata.name ?? "", secretSuffix[purpose]);

const lookup = async (access: CertificateAccess, purpose: Purpose): Promise<PemPair | undefined> => {
  const key = { namespace: access.cluster.metadata.namespace ?? "", name: nameOf(access, purpose) };
  const secret = await access.client.find(SecretResource, key, access.call);
  return secret === undefined ? undefined : readPair(access, purpose, secretText(secretBytes(secret)));
};

const readPair = (access: CertificateAccess, purpose: Purpose, data: Readonly<Record<string, string>>): PemPair => {
  const { "tls.crt": certificate = "", "tls.key": key = "" } = data;
  const where = `Secret ${access.cluster.metadata.namespace ?? ""}/${nameOf(access, purpose)}`;
  if (certificate === "") throw corrupt(`${where} has no key tls.crt; put the ${purpose} certificate there`);
  if (purpose !== "serviceAccount") {
    try {
      if (readCertificates(certificate).length === 0) throw corrupt(`${where}: tls.crt holds no PEM certificate`);
    } catch (error) {
      if (isCapstanError(error, "kubeadm.certificates_corrupt")) throw error;
      throw corrupt(`${where}: tls.crt is no PEM certificate`, error);
    }
  }
  return key === "" ? { certificate } : { certificate, key };
};

const corrupt = (message: string, cause?: unknown): CapstanError =>
  new CapstanError({ code: "kubeadm.certificates_corrupt", reason: "CertificatesCorrupted", message, cause });

const generate = async (access: CertificateAccess, purpose: Purpose, options: GenerateOptions): Promise<PemPair> => {
  if (purpose === "serviceAccount") {
    const keys = await createServiceAccountKeys(options.algorithm);
    return { certificate: keys.publicKey, key: keys.privateKey };
  }
  return createCertificateAuthority({
    now: access.clock.now(),
    ...(options.caValidityDays === undefined ? {} : { validityDays: options.caValidityDays }),
    ...(options.algorithm === undefined ? {} : { algorithm: options.algorithm }),
  });
};

const store = async (
  access: CertificateAccess,
  purpose: Purpose,
  pair: PemPair,
  owner: OwnerReference,
): Promise<PemPair> => {
  const cluster = access.cluster.metadata;
  const object: KubeObject = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      namespace: cluster.namespace ?? "",
      name: nameOf(access, purpose),
      labels: { [Label.clusterName]: cluster.name ?? "" },
      ownerReferences: [owner],
    },
    type: clusterSecretType,
    data: {
      "tls.crt": Buffer.from(pair.certificate).toString("base64"),
      "tls.key": Buffer.from(pair.key ?? "").toString("base64"),
    },
  };
  try {
    await access.client.create(SecretResource, object, access.call);
    return pair;
  } catch (error) {
    // Somebody was faster: theirs is the cluster's authority.
    if (!isCapstanError(error, "kube.already_exists")) throw error;
    const present = await lookup(access, purpose);
    if (present === undefined) throw error;
    return present;
  }
};

const purposes = (externalEtcd: boolean): readonly Purpose[] =>
  externalEtcd
    ? ["ca", "etcd", "proxy", "serviceAccount", "apiServerEtcdClient"]
    : ["ca", "etcd", "proxy", "serviceAccount"];

/** What external etcd needs is given by the user and never generated. */
const userSupplied = (purpose: Purpose, externalEtcd: boolean): boolean =>
  externalEtcd && (purpose === "etcd" || purpose === "apiServerEtcdClient");

const missing = (access: CertificateAccess, purpose: Purpose, part: string): CapstanError =>
  new CapstanError({
    code: "kubeadm.certificates_missing",
    reason: "CertificatesMissing",
    message: `Secret ${access.cluster.metadata.namespace ?? ""}/${nameOf(access, purpose)} ${part}`,
  });

/**
 * The certificates of a new control plane. With `generate`, what does not exist is made and stored; without, a missing one is
 * left to kubeadm. User-supplied ones (external etcd) must exist. Throws `kubeadm.certificates_missing`, `kubeadm.certificates_corrupt`.
 */
export const certificatesForInit = async (
  access: CertificateAccess,
  options: { readonly externalEtcd: boolean; readonly generate?: GenerateOptions },
): Promise<ClusterCertificates> => {
  const pairs = purposes(options.externalEtcd).map(async (purpose) => {
    const present = await lookup(access, purpose);
    if (present !== undefined) return [purpose, present] as const;
    if (userSupplied(purpose, options.externalEtcd)) {
      throw missing(access, purpose, "does not exist; external etcd needs it");
    }
    if (options.generate === undefined) return [purpose, undefined] as const;
    const made = await generate(access, purpose, options.generate);
    return [purpose, await store(access, purpose, made, options.generate.owner)] as const;
  });
  return Object.fromEntries((await Promise.all(pairs)).filter(([, pair]) => pair !== undefined));
};

/** The certificates a further control-plane machine needs: all must exist, with keys unless external. */
export const certificatesForControlPlaneJoin = async (
  access: CertificateAccess,
  options: { readonly externalEtcd: boolean },
): Promise<ClusterCertificates> => {
  const pairs = purposes(options.externalEtcd).map(async (purpose) => {
    const present = await lookup(access, purpose);
    if (present === undefined) {
      throw missing(access, purpose, "does not exist; the control plane cannot be joined without it");
    }
    if (present.key === undefined && !userSupplied(purpose, options.externalEtcd)) {
      throw missing(access, purpose, "has no key tls.key");
    }
    return [purpose, present] as const;
  });
  return Object.fromEntries(await Promise.all(pairs));
};

/** The cluster's authority, which a joining worker pins. */
export const clusterAuthority = async (access: CertificateAccess): Promise<PemPair> => {
  const data = await access.secret(nameOf(access, "ca"));
  const present = data === undefined ? undefined : readPair(access, "ca", data);
  if (present === undefined) throw missing(access, "ca", "does not exist; it is made with the first control plane");
  if (present.key === undefined) throw missing(access, "ca", "has no key tls.key");
  return present;
};
