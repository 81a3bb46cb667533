import { createPublicKey } from "node:crypto";
import { expect, it } from "vitest";
import { defaultedSshKey, givenSshKey } from "./ssh-key.ts";

const given = Buffer.from("ssh-rsa AAAA").toString("base64");

it("gives a new object a key of RSA, another one each time", async () => {
  const [one, two] = await Promise.all([
    defaultedSshKey({}, undefined),
    defaultedSshKey({ sshPublicKey: "" }, undefined),
  ]);
  expect(one.sshPublicKey).not.toBe(two.sshPublicKey);
  const [type, blob = ""] = givenSshKey(one.sshPublicKey ?? "").split(" ");
  expect(type).toBe("ssh-rsa");
  const parts: Buffer[] = [];
  for (let rest = Buffer.from(blob, "base64"); rest.length > 0;) {
    const length = rest.readUInt32BE();
    parts.push(rest.subarray(4, 4 + length));
    rest = rest.subarray(4 + length);
  }
  const [name, e, n] = parts;
  expect(name?.toString()).toBe("ssh-rsa");
  const field = (bytes: Buffer | undefined): string =>
    (bytes?.[0] === 0 ? bytes.subarray(1) : bytes)!.toString("base64url");
  const key = createPublicKey({ key: { kty: "RSA", e: field(e), n: field(n) }, format: "jwk" });
  expect(key.asymmetricKeyDetails?.modulusLength).toBe(2048);
});

it("keeps the key that is given, and that of the object where an update says none", async () => {
  expect(await defaultedSshKey({ sshPublicKey: given }, undefined)).toEqual({});
  expect(await defaultedSshKey({}, { spec: { sshPublicKey: given } })).toEqual({ sshPublicKey: given });
  expect(await defaultedSshKey({}, { spec: {} })).toEqual({});
});
