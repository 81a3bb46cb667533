import { generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { generateKeys } from "@capstan/pki";
import { describe, expect, it } from "vitest";
import { pooledKeys } from "../src/pooled-keys.ts";

const several = (count: number, make: () => Promise<{ readonly privateKey: KeyObject }>): Promise<KeyObject[]> =>
  Promise.all(Array.from({ length: count }, async () => (await make()).privateKey));

/** How many of the keys are different. */
const different = (keys: readonly KeyObject[]): number =>
  new Set(keys.map((key) => key.export({ format: "pem", type: "pkcs8" }).toString())).size;

describe("keys of tests", () => {
  it("come from a pool that has many different ones", async () => {
    expect(different(await several(2 * pooledKeys, () => generateKeys("RSA-2048")))).toBe(pooledKeys);
    expect(different(await several(pooledKeys, () => generateKeys("RSA-2048")))).toBe(pooledKeys);
  });

  it("have the size that was asked for", async () => {
    const { privateKey } = await generateKeys("RSA-3072");
    expect(privateKey.asymmetricKeyDetails?.modulusLength).toBe(3072);
    expect((await generateKeys("RSA-2048")).privateKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
  });

  it("belong together, by a callback too", async () => {
    const [publicKey, privateKey] = await new Promise<KeyObject[]>((resolve, reject) =>
      generateKeyPair("rsa", { modulusLength: 2048 }, (error, ...keys) => (error ? reject(error) : resolve(keys))),
    );
    const { publicKey: again } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
    expect(publicKey?.type).toBe("public");
    expect(privateKey?.type).toBe("private");
    expect(again.equals(publicKey!)).toBe(false);
  });

  it("are new where they cost nothing, or are asked for as text", async () => {
    expect(different(await several(2 * pooledKeys, () => generateKeys("ECDSA-P256")))).toBe(2 * pooledKeys);
    const { privateKey } = await promisify(generateKeyPair)("rsa", {
      modulusLength: 2048,
      publicKeyEncoding: { format: "pem", type: "spki" },
      privateKeyEncoding: { format: "pem", type: "pkcs8" },
    });
    expect(privateKey).toContain("BEGIN PRIVATE KEY");
  });
});
