import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";

const generate = promisify(generateKeyPair);

const field = (bytes: Uint8Array): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

/** A number as OpenSSH writes it: never negative. */
const number = (base64url: string): Buffer => {
  const bytes = Buffer.from(base64url, "base64url");
  return field(bytes[0]! >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes);
};

/** A public key whose private half no one has: Azure wants one for every Linux machine. */
export const unknownSshKey = async (): Promise<string> => {
  const { publicKey } = await generate("rsa", { modulusLength: 2048 });
  const { e = "", n = "" } = publicKey.export({ format: "jwk" });
  const blob = Buffer.concat([field(Buffer.from("ssh-rsa")), number(e), number(n)]);
  return `ssh-rsa ${blob.toString("base64")}`;
};

/** The line that a spec gives in base64. */
export const givenSshKey = (base64: string): string => Buffer.from(base64, "base64").toString("utf8").trim();

/** Part of a spec with its SSH key. */
interface Keyed {
  readonly sshPublicKey?: string;
}

/**
 * The key of a spec, in base64: a new object without one gets one whose private half no one has, and an update that says none keeps the one
 * that is there. What was stored without one stays so.
 */
export const defaultedSshKey = async (
  now: Keyed,
  old: { readonly spec: Keyed | undefined } | undefined,
): Promise<Keyed> => {
  if ((now.sshPublicKey ?? "") !== "") return {};
  if (old === undefined) return { sshPublicKey: Buffer.from(await unknownSshKey()).toString("base64") };
  const kept = old.spec?.sshPublicKey ?? "";
  return kept === "" ? {} : { sshPublicKey: kept };
};
