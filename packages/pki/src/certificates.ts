// oxlint-disable-next-line import/no-unassigned-import -- @peculiar/x509 needs it to be loaded first
import "reflect-metadata";
import { type KeyObject, randomBytes, webcrypto } from "node:crypto";
import { isIP } from "node:net";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Name,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate as Asn1Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";
import { readCertificate } from "./certificate-facts.ts";
import { PkiErrorCode, unusable } from "./errors.ts";
import { generateKeys, type KeyAlgorithm, type KeyPair, privateKeyPem, readPrivateKey } from "./keys.ts";

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

type SigningAlgorithm =
  | { readonly name: "RSASSA-PKCS1-v1_5"; readonly hash: string }
  | { readonly name: "ECDSA"; readonly namedCurve: string; readonly hash: string };

export const signingAlgorithm = (key: KeyObject): SigningAlgorithm => {
  if (key.asymmetricKeyType === "rsa") {
    return { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  }
  return key.asymmetricKeyDetails?.namedCurve === "secp384r1"
    ? { name: "ECDSA", namedCurve: "P-384", hash: "SHA-384" }
    : { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
};

/** The generator replaces an absent serial number by random bytes; with this source it becomes zero. */
const zeroSerialCrypto = {
  subtle: webcrypto.subtle,
  getRandomValues: <T extends Uint8Array>(bytes: T): T => bytes.fill(0),
};

export const cryptoKey = (key: KeyObject, usage: "sign" | "verify"): Promise<webcrypto.CryptoKey> =>
  usage === "sign"
    ? webcrypto.subtle.importKey("pkcs8", key.export({ format: "der", type: "pkcs8" }), signingAlgorithm(key), true, [
        "sign",
      ])
    : webcrypto.subtle.importKey("spki", key.export({ format: "der", type: "spki" }), signingAlgorithm(key), true, [
        "verify",
      ]);

export const distinguishedName = (commonName: string, organizations: readonly string[] = []): Name =>
  new Name([...organizations.map((organization) => ({ O: [organization] })), { CN: [commonName] }]);

const certificatePem = async (parts: {
  readonly subject: Name;
  readonly issuer: Name;
  /** Hexadecimal; absent for zero. */
  readonly serial?: string;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly publicKey: KeyObject;
  readonly signingKey: KeyObject;
  readonly extensions: Extension[];
}): Promise<string> => {
  const publicKey = await cryptoKey(parts.publicKey, "verify");
  const certificate = await X509CertificateGenerator.create(
    {
      ...(parts.serial === undefined ? {} : { serialNumber: parts.serial }),
      subject: parts.subject,
      issuer: parts.issuer,
      notBefore: new Date(parts.notBefore),
      notAfter: new Date(parts.notAfter),
      publicKey,
      signingKey: await cryptoKey(parts.signingKey, "sign"),
      signingAlgorithm: signingAlgorithm(parts.signingKey),
      // Strict verifiers ask for it (RFC 5280, section 4.2.1.2).
      extensions: [...parts.extensions, await SubjectKeyIdentifierExtension.create(publicKey, false, webcrypto)],
    },
    parts.serial === undefined ? (zeroSerialCrypto as webcrypto.Crypto) : webcrypto,
  );
  return `${certificate.toString("pem").trimEnd()}\n`;
};

/** A self-signed authority as Cluster API generates it: serial 0, path length 0, RSA-2048, ten years. */
export const createCertificateAuthority = async (options: CertificateAuthorityOptions): Promise<CertificateAndKey> => {
  const keys = options.keys ?? (await generateKeys(options.algorithm));
  const subject = distinguishedName(options.commonName ?? "kubernetes");
  const usages = KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment | KeyUsageFlags.keyCertSign;
  const certificate = await certificatePem({
    subject,
    issuer: subject,
    notBefore: options.now - 5 * minuteMs,
    notAfter: options.now + (options.validityDays ?? 3650) * dayMs,
    publicKey: keys.publicKey,
    signingKey: keys.privateKey,
    extensions: [new KeyUsagesExtension(usages, true), new BasicConstraintsExtension(true, 0, true)],
  });
  return { certificate, key: privateKeyPem(keys.privateKey) };
};

/** A random positive 63-bit number in hexadecimal, of even length. */
const randomSerial = (): string => {
  const bytes = randomBytes(8);
  bytes[0] = (bytes[0] ?? 0) & 0x7f;
  bytes[7] = (bytes[7] ?? 0) | 1;
  return bytes.toString("hex");
};

const leafExtensions = (options: LeafOptions): Extension[] => [
  new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment, true),
  new ExtendedKeyUsageExtension(
    options.usages.map((usage) => (usage === "client" ? ExtendedKeyUsage.clientAuth : ExtendedKeyUsage.serverAuth)),
  ),
  new BasicConstraintsExtension(false, undefined, true),
  ...(options.hosts === undefined || options.hosts.length === 0
    ? []
    : [
        new SubjectAlternativeNameExtension(
          options.hosts.map((host) => ({ type: isIP(host) === 0 ? "dns" : "ip", value: host })),
        ),
      ]),
];

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
  const issuing = new Asn1Certificate(authority.certificate);
  const keyId = issuing.getExtension(SubjectKeyIdentifierExtension)?.keyId;
  return certificatePem({
    subject: distinguishedName(options.commonName, options.organizations),
    issuer: issuing.subjectName,
    serial: randomSerial(),
    notBefore: Math.max(options.now - 5 * minuteMs, Date.parse(issuer.validFrom)),
    notAfter: options.now + (options.validityDays ?? 365) * dayMs,
    publicKey: options.publicKey,
    signingKey: signer.privateKey,
    extensions: [
      ...leafExtensions(options),
      ...(keyId === undefined ? [] : [new AuthorityKeyIdentifierExtension(keyId)]),
    ],
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
