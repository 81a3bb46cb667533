// The X.509 library resolves its parts through decorators and needs the polyfill first.
import "reflect-metadata";
import { Pkcs10CertificateRequest } from "@peculiar/x509";
import { createPublicKey, webcrypto } from "node:crypto";
import { signLeaf, type CertificateAndKey } from "./certificates.ts";
import { PkiErrorCode, unusable } from "./errors.ts";

/** Who a request is for. */
export interface RequestSubject {
  readonly commonName: string;
  readonly organizations: readonly string[];
}

const readRequest = (pem: string): Pkcs10CertificateRequest => {
  try {
    return new Pkcs10CertificateRequest(pem);
  } catch (error) {
    throw unusable(
      PkiErrorCode.badCertificate,
      "The certificate request cannot be read: it must be PEM of PKCS#10",
      error,
    );
  }
};

/** Reads the subject; the signature is checked when the request is signed. Throws `pki.bad_certificate`. */
export const requestSubject = (pem: string): RequestSubject => {
  const name = readRequest(pem).subjectName;
  return { commonName: name.getField("CN")[0] ?? "", organizations: name.getField("O") };
};

/** Signs the key and subject of a request. Throws `pki.bad_certificate` when its own signature does not hold. */
export const signCertificateRequest = async (
  authority: CertificateAndKey,
  pem: string,
  options: {
    readonly now: number;
    readonly usages: readonly ("client" | "server")[];
    readonly hosts?: readonly string[];
    readonly validityDays?: number;
  },
): Promise<string> => {
  const request = readRequest(pem);
  if (!(await request.verify(webcrypto))) {
    throw unusable(PkiErrorCode.badCertificate, "The certificate request is not signed by its own key");
  }
  const publicKey = createPublicKey(request.publicKey.toString("pem"));
  const { commonName, organizations } = requestSubject(pem);
  return signLeaf(authority, { ...options, commonName, organizations, publicKey });
};
