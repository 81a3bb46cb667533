import { createHash, type X509Certificate } from "node:crypto";
import { withFinalNewline } from "@capstan/kit/bootstrap";
import { readCertificates } from "@capstan/pki";

const sha256 = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const isSelfSigned = (certificate: X509Certificate): boolean => certificate.checkIssued(certificate);

/** The root that the first certificate of a bundle comes from, if it is in it. */
const rootOf = ([first, ...others]: readonly X509Certificate[]): X509Certificate | undefined => {
  let [current, left] = [first, others];
  while (current !== undefined && !isSelfSigned(current)) {
    const child: X509Certificate = current;
    current = left.find((certificate) => child.checkIssued(certificate));
    left = left.filter((certificate) => certificate !== current);
  }
  return current;
};

/**
 * Returns the hash that pins a server's authority: the digest of its file, or of the root's DER where the file has
 * several certificates.
 */
const authorityHash = (authority: string): string => {
  const certificates = readCertificates(authority);
  const root = certificates.length > 1 ? rootOf(certificates) : undefined;
  return sha256(root?.raw ?? withFinalNewline({ path: "", content: authority }).content ?? "");
};

/**
 * A token with which a machine checks the authority of the servers before it shows the password: `K10<hash>::<user>:<password>`. One that
 * has this form already stays as it is.
 */
export const pinnedToken = (token: string, authority: string, user: "node" | "server"): string =>
  token.startsWith("K10") ? token : `K10${authorityHash(authority)}::${user}:${token}`;
