// The X.509 library resolves its parts through decorators and needs the polyfill first.
import "reflect-metadata";
import { Pkcs10CertificateRequest, Pkcs10CertificateRequestGenerator } from "@peculiar/x509";
import { createPublicKey, webcrypto } from "node:crypto";
import { cryptoKey, distinguishedName, signingAlgorithm, signLeaf, type CertificateAndKey } from "./certificates.ts";
import { PkiErrorCode, unusable } from "./errors.ts";
import { generateKeys, type KeyAlgorithm, privateKeyPem } from "./keys.ts";

/** A PKCS#10 request as PEM, and the private key it was made with. */
export interface CertificateRequest {
  readonly request: string;
  readonly key: string;
}

/** A request for a certificate; the kubelet's default algorithm is ECDSA P-256. */
export const createCertificateRequest = async (options: {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly algorithm?: KeyAlgorithm;
}): Promise<CertificateRequest> => {
  const keys = await generateKeys(options.algorithm ?? "ECDSA-P256");
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: distinguishedName(options.commonName, options.organizations),
    keys: {
      privateKey: await cryptoKey(keys.privateKey, "sign"),
      publicKey: await cryptoKey(keys.publicKey, "verify"),
    },
    signingAlgorithm: signingAlgorithm(keys.privateKey),
  });
  return { request: `${request.toString("pem").trimEnd()}\n`, key: privateKeyPem(keys.privateKey) };
};

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
