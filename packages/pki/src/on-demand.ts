import type { CertificateRequest } from "./certificate-requests.ts";
import type { CertificateAndKey, CertificateAuthorityOptions, LeafOptions } from "./certificates.ts";
import type { KeyAlgorithm } from "./keys.ts";

// What makes certificates loads a large X.509 library: with the first one that is made, so that who only reads them never does.

/** A self-signed authority as Cluster API generates it: serial 0, path length 0, RSA-2048, ten years. */
export const createCertificateAuthority = async (options: CertificateAuthorityOptions): Promise<CertificateAndKey> =>
  (await import("./certificates.ts")).createCertificateAuthority(options);

/**
 * A new key pair with a certificate signed by `authority`. Throws `pki.bad_key` or `pki.bad_certificate` for an unusable
 * authority.
 */
export const issueCertificate = async (
  authority: CertificateAndKey,
  options: LeafOptions,
): Promise<CertificateAndKey> => (await import("./certificates.ts")).issueCertificate(authority, options);

/** A request for a certificate; the kubelet's default algorithm is ECDSA P-256. */
export const createCertificateRequest = async (options: {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly algorithm?: KeyAlgorithm;
}): Promise<CertificateRequest> => (await import("./certificate-requests.ts")).createCertificateRequest(options);
