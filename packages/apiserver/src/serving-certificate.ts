import { CapstanError } from "@capstan/contract";
import { type CertificateAndKey, issueCertificate, renderKubeconfig } from "@capstan/pki";
import type { ServerIdentity } from "./server-identity.ts";
import type { ApiServerOptions } from "./server-options.ts";

/** The serving certificate, and the authority that clients trust and are verified by. */
export interface ServingCertificate extends CertificateAndKey {
  readonly clientCA: string;
  readonly caCertificate: string;
  /** Absent when the serving certificate was given: then no client certificates can be issued. */
  readonly authority: CertificateAndKey | undefined;
}

/** Takes the given certificate, or issues one for the names and addresses of the server. */
export const servingCertificate = async (
  options: ApiServerOptions,
  identity: ServerIdentity,
): Promise<ServingCertificate> => {
  const authority = options.certificateAuthority ?? (options.tls === undefined ? identity.authority : undefined);
  if (options.tls !== undefined) {
    const { certificate, key, clientCA } = options.tls;
    return { certificate, key, clientCA, caCertificate: authority?.certificate ?? clientCA, authority };
  }
  const { certificate: caCertificate } = authority as CertificateAndKey;
  const issued = await issueCertificate(authority as CertificateAndKey, {
    now: options.clock.now(),
    commonName: "kube-apiserver",
    hosts: [...new Set([...standardHosts, options.host ?? loopback, ...(options.certificateHosts ?? [])])],
    usages: ["server"],
    algorithm: "ECDSA-P256",
  });
  return { ...issued, clientCA: caCertificate, caCertificate, authority };
};

const loopback = "127.0.0.1";
const standardHosts = [
  "localhost",
  loopback,
  "::1",
  "kubernetes",
  "kubernetes.default",
  "kubernetes.default.svc",
  "kubernetes.default.svc.cluster.local",
];

/** A kubeconfig for a new certificate in group `system:masters`. Throws `apiserver.no_authority`. */
export const adminKubeconfig = async (server: string, serving: ServingCertificate, now: number): Promise<string> => {
  if (serving.authority === undefined) {
    throw new CapstanError({
      code: "apiserver.no_authority",
      reason: "NoAuthority",
      message:
        "No kubeconfig can be made: the server was given its certificate but not the authority's key. Pass certificateAuthority, or use a token",
      retry: { kind: "never" },
    });
  }
  const admin = await issueCertificate(serving.authority, {
    now,
    commonName: "kubernetes-admin",
    organizations: ["system:masters"],
    usages: ["client"],
    algorithm: "ECDSA-P256",
  });
  return renderKubeconfig({
    server,
    certificateAuthority: serving.caCertificate,
    clusterName: "capstan",
    userName: "kubernetes-admin",
    clientCertificate: admin.certificate,
    clientKey: admin.key,
  });
};
