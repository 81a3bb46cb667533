import { type KeyObject, sign } from "node:crypto";
import { promisify } from "node:util";
import { readBer } from "./asn1/ber.ts";
import { bitString, nameText, none, oid, sequence, setOf } from "./asn1/der.ts";

/** PEM of one block, in lines of 64 characters. */
export const pemBlock = (label: string, der: Uint8Array): string => {
  const lines =
    Buffer.from(der)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
};

const part = (type: string, value: string): Buffer => setOf(sequence(oid(type), nameText(value)));

/** A name: each organization, then the common name. */
export const distinguishedName = (commonName: string, organizations: readonly string[] = []): Buffer =>
  sequence(...organizations.map((organization) => part("2.5.4.10", organization)), part("2.5.4.3", commonName));

/** The structure SubjectPublicKeyInfo. */
export const publicKeyInfo = (key: KeyObject): Buffer => key.export({ format: "der", type: "spki" });

/** The bits of a key without its algorithm, which key identifiers are made of. */
export const publicKeyBits = (info: Buffer): Buffer => readBer(info).parts[1]?.bytes.subarray(1) ?? Buffer.alloc(0);

interface SignatureAlgorithm {
  readonly hash: "sha256" | "sha384";
  readonly identifier: Buffer;
}

const rsaSha256 = sequence(oid("1.2.840.113549.1.1.11"), none);
const ecdsaSha256 = sequence(oid("1.2.840.10045.4.3.2"));
const ecdsaSha384 = sequence(oid("1.2.840.10045.4.3.3"));

/** SHA-256, and SHA-384 with keys of P-384. */
export const signatureAlgorithm = (key: KeyObject): SignatureAlgorithm => {
  if (key.asymmetricKeyType === "rsa") return { hash: "sha256", identifier: rsaSha256 };
  return key.asymmetricKeyDetails?.namedCurve === "secp384r1"
    ? { hash: "sha384", identifier: ecdsaSha384 }
    : { hash: "sha256", identifier: ecdsaSha256 };
};

const signBeside = promisify(sign);

/** Returns the signed structure: the content with its signature, which is made on a pool thread. */
export const signed = async (content: Buffer, key: KeyObject): Promise<Buffer> => {
  const { hash, identifier } = signatureAlgorithm(key);
  return sequence(content, identifier, bitString(await signBeside(hash, content, key)));
};
