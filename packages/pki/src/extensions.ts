import { createHash } from "node:crypto";
import { isIPv4, isIPv6 } from "node:net";
import { type BerValue, oidOf, readBer } from "./asn1/ber.ts";
import { bitString, integer, octetString, oid, sequence, tagged, yes } from "./asn1/der.ts";
import { publicKeyBits } from "./signed.ts";

const subjectKeyIdentifier = "2.5.29.14";

const extension = (type: string, value: Buffer, isCritical = false): Buffer =>
  sequence(oid(type), ...(isCritical ? [yes] : []), octetString(value));

/** Digital signature and key encipherment; for an authority also the signing of certificates. */
export const keyUsage = (isAuthority: boolean): Buffer =>
  extension("2.5.29.15", isAuthority ? bitString(Buffer.from([0xa4]), 2) : bitString(Buffer.from([0xa0]), 5), true);

/** Tells authorities, which have path length 0, from leaves. */
export const basicConstraints = (isAuthority: boolean): Buffer =>
  extension("2.5.29.19", isAuthority ? sequence(yes, integer(Buffer.alloc(1))) : sequence(), true);

export const extendedKeyUsage = (usages: readonly ("client" | "server")[]): Buffer =>
  extension("2.5.29.37", sequence(...usages.map((usage) => oid(`1.3.6.1.5.5.7.3.${usage === "server" ? 1 : 2}`))));

/** The sixteen bytes of an address, which a zone such as `%eth0` is no part of; the URL parser writes all of its forms in hexadecimal groups. */
const ipv6Bytes = (address: string): Buffer => {
  const [head = "", tail] = new URL(`http://[${address.replace(/%.*$/, "")}]`).hostname.slice(1, -1).split("::");
  const groups = (text: string): string[] => (text === "" ? [] : text.split(":"));
  const [before, after] = [groups(head), groups(tail ?? "")];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0");
  const bytes = [...before, ...zeros, ...after].map((group) => group.padStart(4, "0")).join("");
  return Buffer.from(bytes, "hex");
};

const alternativeName = (host: string): Buffer => {
  if (isIPv4(host)) return tagged(0x87, Buffer.from(host.split(".").map(Number)));
  return isIPv6(host) ? tagged(0x87, ipv6Bytes(host)) : tagged(0x82, Buffer.from(host, "latin1"));
};

/** DNS names and addresses. */
export const alternativeNames = (hosts: readonly string[]): Buffer =>
  extension("2.5.29.17", sequence(...hosts.map(alternativeName)));

/** The SHA-1 of the key, which strict verifiers ask for (RFC 5280, section 4.2.1.2). */
export const keyIdentifier = (publicKeyInfo: Buffer): Buffer =>
  extension(subjectKeyIdentifier, octetString(createHash("sha1").update(publicKeyBits(publicKeyInfo)).digest()));

export const authorityKeyIdentifier = (identifier: Buffer): Buffer =>
  extension("2.5.29.35", sequence(tagged(0x80, identifier)));

/** The identifier of a certificate's key; undefined where it has none. `parts`: those of its extensions. */
export const keyIdentifierIn = (parts: readonly BerValue[]): Buffer | undefined => {
  const found = parts.find(({ parts: [type] }) => type !== undefined && oidOf(type) === subjectKeyIdentifier);
  const value = found?.parts.at(-1);
  return value === undefined ? undefined : readBer(value.bytes).bytes;
};
