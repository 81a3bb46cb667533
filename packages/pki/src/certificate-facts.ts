import { createHash, X509Certificate } from "node:crypto";
import { PkiErrorCode, unusable } from "./errors.ts";

const pemBlock = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** Reads the first certificate of a PEM text. Throws `pki.bad_certificate`. */
export const readCertificate = (pem: string): X509Certificate => {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw unusable(
      PkiErrorCode.badCertificate,
      "The certificate cannot be read: it must be PEM with CERTIFICATE blocks",
      error,
    );
  }
};

/** Bundles that were read lately: the authority of a cluster is read for each of its machines. */
const known = new Map<string, readonly X509Certificate[]>();
const knownBundles = 256;
/** In characters: room for some dozens of certificates. */
const longestKnown = 65_536;

/** Every certificate of a PEM bundle, in order; an empty list when there is none. */
export const readCertificates = (pem: string): readonly X509Certificate[] => {
  const before = known.get(pem);
  if (before !== undefined) return before;
  const certificates = [...pem.matchAll(pemBlock)].map(([block]) => readCertificate(block));
  if (pem.length > longestKnown) return certificates;
  for (const oldest of known.keys()) {
    if (known.size < knownBundles) break;
    known.delete(oldest);
  }
  known.set(pem, certificates);
  return certificates;
};

/** End of validity of the first certificate, in milliseconds since the epoch. */
export const certificateExpiry = (pem: string): number => readCertificate(pem).validToDate.getTime();

/** Hash of each certificate's public key as kubeadm's `caCertHashes` want it: `sha256:` and 64 hexadecimal digits. */
export const caCertHashes = (pem: string): readonly string[] =>
  readCertificates(pem).map(
    (certificate) =>
      `sha256:${createHash("sha256")
        .update(certificate.publicKey.export({ format: "der", type: "spki" }))
        .digest("hex")}`,
  );
