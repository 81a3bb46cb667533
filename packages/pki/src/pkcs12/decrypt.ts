import { createDecipheriv, createHash, pbkdf2Sync } from "node:crypto";
import type { BerValue } from "../asn1/ber.ts";
import { integerOf, oidOf } from "../asn1/ber.ts";

const tripleDes = "1.2.840.113549.1.12.1.3";
const rc2 = "1.2.840.113549.1.12.1.6";
const pbes2 = "1.2.840.113549.1.5.13";

const digests: Readonly<Record<string, string>> = {
  "1.2.840.113549.2.7": "sha1",
  "1.2.840.113549.2.9": "sha256",
  "1.2.840.113549.2.10": "sha384",
  "1.2.840.113549.2.11": "sha512",
};

const ciphers: Readonly<Record<string, readonly [name: string, keyBytes: number]>> = {
  "1.2.840.113549.3.7": ["des-ede3-cbc", 24],
  "2.16.840.1.101.3.4.1.2": ["aes-128-cbc", 16],
  "2.16.840.1.101.3.4.1.22": ["aes-192-cbc", 24],
  "2.16.840.1.101.3.4.1.42": ["aes-256-cbc", 32],
};

const blockBytes = 64;

const filled = (bytes: Buffer): Buffer => {
  if (bytes.length === 0) return bytes;
  const length = Math.ceil(bytes.length / blockBytes) * blockBytes;
  return Buffer.alloc(length, bytes);
};

/** Key material of PKCS#12 (RFC 7292, appendix B) with SHA-1. `id`: 1 for a key, 2 for an initial vector. */
const derived = (password: Buffer, salt: Buffer, rounds: number, id: 1 | 2, length: number): Buffer => {
  const diversifier = Buffer.alloc(blockBytes, id);
  let input = Buffer.concat([filled(salt), filled(password)]);
  const made: Buffer[] = [];
  for (let have = 0; have < length; have += 20) {
    let hash = createHash("sha1").update(diversifier).update(input).digest();
    for (let round = 1; round < rounds; round += 1) hash = createHash("sha1").update(hash).digest();
    made.push(hash);
    const addend = Buffer.alloc(blockBytes, hash);
    input = Buffer.concat(
      Array.from({ length: input.length / blockBytes }, (_, index) => {
        const sum = BigInt(`0x${input.subarray(index * blockBytes, (index + 1) * blockBytes).toString("hex")}`);
        const next = (sum + BigInt(`0x${addend.toString("hex")}`) + 1n) % (1n << BigInt(8 * blockBytes));
        return Buffer.from(next.toString(16).padStart(2 * blockBytes, "0"), "hex");
      }),
    );
  }
  return Buffer.concat(made).subarray(0, length);
};

const deciphered = (cipher: string, key: Buffer, iv: Buffer, bytes: Buffer): Buffer => {
  const decipher = createDecipheriv(cipher, key, iv);
  return Buffer.concat([decipher.update(bytes), decipher.final()]);
};

/** By the older way, in which an empty password is nothing to some programs, and two zeros to others. */
const byTripleDes = ([salt, rounds]: readonly BerValue[], bytes: Buffer): Buffer => {
  const passwords = [Buffer.alloc(2), Buffer.alloc(0)];
  const open = (password: Buffer): Buffer => {
    const key = derived(password, salt!.bytes, integerOf(rounds!), 1, 24);
    return deciphered("des-ede3-cbc", key, derived(password, salt!.bytes, integerOf(rounds!), 2, 8), bytes);
  };
  try {
    return open(passwords[0]!);
  } catch {
    return open(passwords[1]!);
  }
};

const byPbes2 = ([derivation, encryption]: readonly BerValue[], bytes: Buffer): Buffer => {
  const [salt, rounds, ...more] = derivation?.parts[1]?.parts ?? [];
  const digest = more.find(({ parts }) => parts.length > 0)?.parts[0];
  const [name, keyBytes] = ciphers[oidOf(encryption!.parts[0]!)] ?? [];
  if (name === undefined || keyBytes === undefined) throw new Error("its cipher is not known");
  const hash = digest === undefined ? "sha1" : (digests[oidOf(digest)] ?? "sha256");
  const key = pbkdf2Sync("", salt!.bytes, integerOf(rounds!), keyBytes, hash);
  return deciphered(name, key, encryption!.parts[1]!.bytes, bytes);
};

/** Decrypts what an empty password protects. `algorithm`: an AlgorithmIdentifier. */
export const decrypted = (algorithm: BerValue, bytes: Buffer): Buffer => {
  const [id, parameters] = algorithm.parts;
  switch (oidOf(id!)) {
    case tripleDes:
      return byTripleDes(parameters!.parts, bytes);
    case pbes2:
      return byPbes2(parameters!.parts, bytes);
    case rc2:
      throw new Error("it is encrypted with RC2, which is not safe");
    default:
      throw new Error("its encryption is not known");
  }
};
