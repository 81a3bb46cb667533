import { createCertificateAuthority, issueCertificate, type CertificateAndKey } from "@capstan/pki";

const algorithm = "ECDSA-P256";

/** A certificate authority that signs the certificates of one simulator's servers. */
export const createServerAuthority = (simulator: string, now: number): Promise<CertificateAndKey> =>
  createCertificateAuthority({ now, commonName: `${simulator}-simulator`, algorithm });

/** A certificate for a server that is reached under these names and addresses. */
export const issueServerCertificate = (
  authority: CertificateAndKey,
  hosts: readonly string[],
  now: number,
): Promise<CertificateAndKey> =>
  issueCertificate(authority, {
    now,
    commonName: hosts[0] ?? "localhost",
    hosts,
    usages: ["server"],
    validityDays: 3650,
    algorithm,
  });
