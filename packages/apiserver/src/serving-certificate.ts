import { isIP } from "node:net";
import { CapstanError } from "@capstan/contract";
import {
  type CertificateAndKey,
  issueCertificate,
  readCertificate,
  readCertificates,
  renderKubeconfig,
} from "@capstan/pki";
import type { ServerIdentity } from "./server-identity.ts";
import type { ApiServerOptions } from "./server-options.ts";

/** The serving certificate, and the authority that clients trust and are verified by. */
export interface ServingCertificate extends CertificateAndKey {
  readonly clientCA: string;
  readonly caCertificate: string;
  /** Absent when the serving certificate was given: then no client certificates can be issued. */
  readonly authority: CertificateAndKey | undefined;
}

/** As long as the authority: it is issued when a server starts, and one that runs for years is to be reached all that time. */
const validityDays = 3650;

/** Takes the given certificate, or issues one for the names and addresses of the server. */
export const servingCertificate = async (
  options: ApiServerOptions,
  identity: ServerIdentity,
): Promise<ServingCertificate> => {
  const isTrustGiven = options.tls?.clientCA !== undefined;
  const authority = options.certificateAuthority ?? (isTrustGiven ? undefined : identity.authority);
  const clientCA = [options.tls?.clientCA ?? authority?.certificate, options.clientCA]
    .filter((bundle) => bundle !== undefined)
    .join("\n");
  if (options.tls !== undefined) {
    const { certificate, key } = options.tls;
    const caCertificate = isTrustGiven ? (authority?.certificate ?? clientCA) : lastOf(certificate);
    return { certificate, key, clientCA, caCertificate, authority };
  }
  const { certificate: caCertificate } = authority as CertificateAndKey;
  const issued = await issueCertificate(authority as CertificateAndKey, {
    now: options.clock.now(),
    commonName: "kube-apiserver",
    hosts: [...new Set([...standardHosts, options.host ?? loopback, ...(options.certificateHosts ?? [])])],
    usages: ["server"],
    validityDays,
    algorithm: "ECDSA-P256",
  });
  return { ...issued, clientCA, caCertificate, authority };
};

/** The end of a certificate's chain: what clients must trust. */
const lastOf = (chain: string): string => readCertificates(chain).at(-1)?.toString() ?? chain;

/** The name to verify when the certificate is not for the host of the address. */
const otherName = (server: string, certificate: string): { readonly tlsServerName?: string } => {
  const leaf = readCertificate(certificate);
  const host = new URL(server).hostname.replace(/^\[|\]$/g, "");
  if ((isIP(host) === 0 ? leaf.checkHost(host) : leaf.checkIP(host)) !== undefined) {
    return {};
  }
  const name = /DNS:(?:\*\.)?([^,\s]+)/.exec(leaf.subjectAltName ?? "")?.[1];
  return name === undefined ? {} : { tlsServerName: leaf.checkHost(name) === undefined ? `any.${name}` : name };
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
    ...otherName(server, serving.certificate),
    certificateAuthority: serving.caCertificate,
    clusterName: "capstan",
    userName: "kubernetes-admin",
    clientCertificate: admin.certificate,
    clientKey: admin.key,
  });
};
