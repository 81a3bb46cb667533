import { createPrivateKey, X509Certificate } from "node:crypto";
import { PkiErrorCode, unusable } from "../errors.ts";
import type { BerValue } from "../asn1/ber.ts";
import { oidOf, readBer } from "../asn1/ber.ts";
import { decrypted } from "./decrypt.ts";

const encryptedData = "1.2.840.113549.1.7.6";
const plainKey = "1.2.840.113549.1.12.10.1.1";
const shroudedKey = "1.2.840.113549.1.12.10.1.2";
const certificate = "1.2.840.113549.1.12.10.1.3";

/** The bags of one part of the file. */
const bagsOf = ({ parts: [type, content] }: BerValue): readonly BerValue[] => {
  if (oidOf(type!) !== encryptedData) return readBer(content!.bytes).parts;
  const [, algorithm, bytes] = content!.parts[0]!.parts[1]!.parts;
  return readBer(decrypted(algorithm!, bytes!.bytes)).parts;
};

interface Contents {
  readonly keys: readonly string[];
  readonly certificates: readonly X509Certificate[];
}

const keyPem = (der: Buffer): string =>
  createPrivateKey({ key: der, format: "der", type: "pkcs8" }).export({ format: "pem", type: "pkcs8" }).toString();

const contentsOf = (file: Uint8Array): Contents => {
  const [, safe] = readBer(file).parts;
  const bags = readBer(safe!.parts[1]!.bytes).parts.flatMap(bagsOf);
  const keys: string[] = [];
  const certificates: X509Certificate[] = [];
  for (const {
    parts: [type, held],
  } of bags) {
    const value = held?.parts[0];
    switch (oidOf(type!)) {
      case plainKey:
        keys.push(keyPem(value!.whole));
        break;
      case shroudedKey:
        keys.push(keyPem(decrypted(value!.parts[0]!, value!.parts[1]!.bytes)));
        break;
      case certificate:
        certificates.push(new X509Certificate(value!.parts[1]!.bytes));
        break;
      default:
    }
  }
  return { keys, certificates };
};

const convert = "write it anew, for example with openssl pkcs12 -export -passout pass:";

/**
 * The private key of a PKCS#12 file without a password, its certificate and those that issued it, as PEM. Throws `pki.bad_key` for files
 * that have a password, that are encrypted with RC2, or that hold no key.
 */
export const pkcs12Pem = (file: Uint8Array): string => {
  let contents: Contents;
  try {
    contents = contentsOf(file);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw unusable(PkiErrorCode.badKey, `the PKCS#12 file cannot be read: ${why}; ${convert}`, error);
  }
  const [key] = contents.keys;
  if (key === undefined) {
    throw unusable(PkiErrorCode.badKey, "the PKCS#12 file has no private key; write it anew with one");
  }
  const own = contents.certificates.filter((each) => each.checkPrivateKey(createPrivateKey(key)));
  const others = contents.certificates.filter((each) => !own.includes(each));
  return [key, ...[...own, ...others].map((each) => each.toString())].join("");
};
