import { type KeyObject, randomBytes, type X509Certificate } from "node:crypto";
import { readBer } from "./asn1/ber.ts";
import { integer, sequence, tagged, time } from "./asn1/der.ts";
import { readCertificate } from "./certificate-facts.ts";
import { PkiErrorCode, unusable } from "./errors.ts";
import {
  alternativeNames,
  authorityKeyIdentifier,
  basicConstraints,
  extendedKeyUsage,
  keyIdentifier,
  keyIdentifierIn,
  keyUsage,
} from "./extensions.ts";
import { generateKeys, type KeyAlgorithm, type KeyPair, privateKeyPem, readPrivateKey } from "./keys.ts";
import { distinguishedName, pemBlock, publicKeyInfo, signatureAlgorithm, signed } from "./signed.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** A certificate (one PEM block) and its private key (PKCS#1 or SEC 1 PEM). */
export interface CertificateAndKey {
  readonly certificate: string;
  readonly key: string;
}

export interface CertificateAuthorityOptions {
  /** Milliseconds since the epoch; the certificate is valid from five minutes earlier. */
  readonly now: number;
  /** Default `kubernetes`. */
  readonly commonName?: string;
  /** Default 3650. */
  readonly validityDays?: number;
  /** Default RSA-2048. */
  readonly algorithm?: KeyAlgorithm;
  /** Default: a new key pair. */
  readonly keys?: KeyPair;
}

export interface LeafOptions {
  /** Milliseconds since the epoch; the certificate is valid from five minutes earlier, but not before its authority. */
  readonly now: number;
  readonly commonName: string;
  /** Kubernetes takes each as a group of the user. */
  readonly organizations?: readonly string[];
  /** DNS names and IP addresses that a server answers to. */
  readonly hosts?: readonly string[];
  readonly usages: readonly ("client" | "server")[];
  /** Default 365. */
  readonly validityDays?: number;
  /** Default RSA-2048. */
  readonly algorithm?: KeyAlgorithm;
  /** Default: a new key pair. */
  readonly keys?: KeyPair;
}

const certificatePem = async (parts: {
  readonly subject: Buffer;
  readonly issuer: Buffer;
  readonly serial: Buffer;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly publicKey: KeyObject;
  readonly signingKey: KeyObject;
  readonly extensions: readonly Buffer[];
}): Promise<string> => {
  const key = publicKeyInfo(parts.publicKey);
  const content = sequence(
    // Version 3, the one with extensions.
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(parts.serial),
    signatureAlgorithm(parts.signingKey).identifier,
    parts.issuer,
    sequence(time(parts.notBefore), time(parts.notAfter)),
    parts.subject,
    key,
    tagged(0xa3, sequence(...parts.extensions, keyIdentifier(key))),
  );
  return pemBlock("CERTIFICATE", await signed(content, parts.signingKey));
};

/** A self-signed authority as Cluster API generates it: serial 0, path length 0, RSA-2048, ten years. */
export const createCertificateAuthority = async (options: CertificateAuthorityOptions): Promise<CertificateAndKey> => {
  const keys = options.keys ?? (await generateKeys(options.algorithm));
  const subject = distinguishedName(options.commonName ?? "kubernetes");
  const certificate = await certificatePem({
    subject,
    issuer: subject,
    serial: Buffer.alloc(1),
    notBefore: options.now - 5 * minuteMs,
    notAfter: options.now + (options.validityDays ?? 3650) * dayMs,
    publicKey: keys.publicKey,
    signingKey: keys.privateKey,
    extensions: [keyUsage(true), basicConstraints(true)],
  });
  return { certificate, key: privateKeyPem(keys.privateKey) };
};

/** A random positive number of 63 bits. */
const randomSerial = (): Buffer => {
  const bytes = randomBytes(8);
  bytes[0] = (bytes[0] ?? 0) & 0x7f;
  bytes[7] = (bytes[7] ?? 0) | 1;
  return bytes;
};

const leafExtensions = ({ hosts = [], usages }: Pick<LeafOptions, "hosts" | "usages">): Buffer[] => [
  keyUsage(false),
  extendedKeyUsage(usages),
  basicConstraints(false),
  ...(hosts.length === 0 ? [] : [alternativeNames(hosts)]),
];

/** The name of an authority, byte for byte as its own certificate has it, and the identifier of its key, where it has one. */
const issuerParts = (authority: X509Certificate): { readonly name: Buffer; readonly keyId: Buffer | undefined } => {
  const [content] = readBer(authority.raw).parts;
  // The version leads, where it is not the first one.
  const parts = (content?.parts ?? []).filter(({ tag }) => tag !== 0xa0);
  const extensions = parts.find(({ tag }) => tag === 0xa3)?.parts[0]?.parts ?? [];
  return { name: parts[4]?.whole ?? Buffer.alloc(0), keyId: keyIdentifierIn(extensions) };
};

/** A certificate for a public key that another user holds the private key of. */
export interface SignOptions extends Omit<LeafOptions, "algorithm" | "keys"> {
  readonly publicKey: KeyObject;
}

/** Signs a leaf; the certificate as PEM. Throws `pki.bad_key` or `pki.bad_certificate` for an unusable authority. */
export const signLeaf = async (authority: CertificateAndKey, options: SignOptions): Promise<string> => {
  const issuer = readCertificate(authority.certificate);
  const signer = readPrivateKey(authority.key);
  if (!issuer.checkPrivateKey(signer.privateKey)) {
    throw unusable(
      PkiErrorCode.badKey,
      `The key does not belong to the certificate of the authority ${issuer.subject}`,
    );
  }
  const { keyId, name } = issuerParts(issuer);
  return certificatePem({
    subject: distinguishedName(options.commonName, options.organizations),
    issuer: name,
    serial: randomSerial(),
    notBefore: Math.max(options.now - 5 * minuteMs, Date.parse(issuer.validFrom)),
    notAfter: options.now + (options.validityDays ?? 365) * dayMs,
    publicKey: options.publicKey,
    signingKey: signer.privateKey,
    extensions: [...leafExtensions(options), ...(keyId === undefined ? [] : [authorityKeyIdentifier(keyId)])],
  });
};

/** A new key pair with a certificate signed by `authority`. Throws as `signLeaf`. */
export const issueCertificate = async (
  authority: CertificateAndKey,
  options: LeafOptions,
): Promise<CertificateAndKey> => {
  const keys = options.keys ?? (await generateKeys(options.algorithm));
  const certificate = await signLeaf(authority, { ...options, publicKey: keys.publicKey });
  return { certificate, key: privateKeyPem(keys.privateKey) };
};
