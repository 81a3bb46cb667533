import { clusterSecretType, Label, SecretPurpose } from "@capstan/contract";
import { clusterSecretName } from "@capstan/contract/wire";
import { type CertificateAndKey, createCertificateAuthority, createServiceAccountKeys } from "@capstan/pki";
import { systemClock } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";

type Purpose = "ca" | "etcd" | "proxy" | "serviceAccount";

/** The authorities that a user may bring along instead of having them made; all clusters of the bench have the same. */
export type Authorities = Readonly<Record<Purpose, CertificateAndKey>>;

export const createAuthorities = async (): Promise<Authorities> => {
  const authority = (commonName: string) => createCertificateAuthority({ now: systemClock.now(), commonName });
  const { publicKey, privateKey } = await createServiceAccountKeys();
  return {
    ca: await authority("kubernetes"),
    etcd: await authority("etcd-ca"),
    proxy: await authority("front-proxy-ca"),
    serviceAccount: { certificate: publicKey, key: privateKey },
  };
};

/** The Secrets of a Cluster that hold them. */
export const authoritySecrets = (
  authorities: Authorities,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): readonly KubeObject[] =>
  (Object.keys(authorities) as Purpose[]).map((purpose) => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      namespace,
      name: clusterSecretName(name, SecretPurpose[purpose]),
      labels: { [Label.clusterName]: name },
    },
    type: clusterSecretType,
    stringData: { "tls.crt": authorities[purpose].certificate, "tls.key": authorities[purpose].key },
  }));
