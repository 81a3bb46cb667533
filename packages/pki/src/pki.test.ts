import { execFileSync } from "node:child_process";
import { createHash, createSign, createVerify } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  caCertHashes,
  certificateExpiry,
  createCertificateAuthority,
  createServiceAccountKeys,
  generateKeys,
  issueCertificate,
  type KeyAlgorithm,
  parseKubeconfig,
  privateKeyPem,
  publicKeyPem,
  readCertificate,
  readCertificates,
  readPrivateKey,
  readPublicKey,
  renderKubeconfig,
} from "./index.ts";

const now = Date.parse("2026-05-01T12:00:00Z");
const day = 24 * 3600 * 1000;
const openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl"].find((path) => existsSync(path));

const spkiHash = (pem: string): string =>
  `sha256:${createHash("sha256")
    .update(readCertificate(pem).publicKey.export({ format: "der", type: "spki" }))
    .digest("hex")}`;

const authority = (algorithm: KeyAlgorithm) => createCertificateAuthority({ now, algorithm });

describe("keys", () => {
  it.each([
    ["RSA-2048", "RSA PRIVATE KEY"],
    ["ECDSA-P256", "EC PRIVATE KEY"],
    ["ECDSA-P384", "EC PRIVATE KEY"],
  ] as const)("writes and reads %s in the traditional form and in PKCS#8", async (algorithm, label) => {
    const { privateKey, publicKey } = await generateKeys(algorithm);
    const traditional = privateKeyPem(privateKey);
    const pkcs8 = privateKeyPem(privateKey, "pkcs8");
    expect(traditional).toContain(`-----BEGIN ${label}-----`);
    expect(pkcs8).toContain("-----BEGIN PRIVATE KEY-----");
    for (const pem of [traditional, pkcs8]) {
      expect(publicKeyPem(readPrivateKey(pem).publicKey)).toBe(publicKeyPem(publicKey));
      expect(publicKeyPem(readPublicKey(pem))).toBe(publicKeyPem(publicKey));
    }
  });

  it("are made beside the event loop, which goes on meanwhile", async () => {
    let turns = 0;
    const turn = (): NodeJS.Immediate =>
      setImmediate(() => {
        turns += 1;
        next = turn();
      });
    let next = turn();
    await generateKeys("RSA-4096");
    clearImmediate(next);
    // One, had the loop stood still.
    expect(turns).toBeGreaterThan(3);
  });

  it("says what is wrong with an unreadable key", () => {
    expect(() => readPrivateKey("no key")).toThrow(expect.objectContaining({ code: "pki.bad_key" }));
    expect(() => readPublicKey("no key")).toThrow(expect.objectContaining({ code: "pki.bad_key" }));
  });

  it("makes a pair for ServiceAccount tokens that signs and verifies", async () => {
    const keys = await createServiceAccountKeys();
    expect(keys.publicKey).toContain("BEGIN PUBLIC KEY");
    const signature = createSign("sha256").update("text").sign(keys.privateKey);
    expect(createVerify("sha256").update("text").verify(keys.publicKey, signature)).toBe(true);
  });
});

describe("certificate authority", () => {
  it.each(["RSA-2048", "ECDSA-P256", "ECDSA-P384"] as const)(
    "has the attributes of a cluster CA with %s",
    async (algorithm) => {
      const certificate = readCertificate((await authority(algorithm)).certificate);
      expect(certificate.subject).toBe("CN=kubernetes");
      expect(certificate.issuer).toBe("CN=kubernetes");
      expect(BigInt(`0x${certificate.serialNumber}`)).toBe(0n);
      expect(certificate.validFromDate.getTime()).toBe(now - 5 * 60_000);
      expect(certificate.validToDate.getTime()).toBe(now + 3650 * day);
      expect(certificate.ca).toBe(true);
      expect(certificate.verify(certificate.publicKey)).toBe(true);
    },
  );

  it.skipIf(openssl === undefined)("has path length 0 and the three key usages", async () => {
    const { certificate } = await authority("RSA-2048");
    const text = execFileSync(openssl ?? "", ["x509", "-noout", "-text"], { input: certificate }).toString();
    expect(text).toMatch(/CA:TRUE, pathlen:0/);
    expect(text).toMatch(/Key Usage: critical\s+Digital Signature, Key Encipherment, Certificate Sign\n/);
  });

  it("takes the given validity, name and keys", async () => {
    const keys = await generateKeys("ECDSA-P256");
    const made = await createCertificateAuthority({ now, commonName: "etcd-ca", validityDays: 10, keys });
    expect(readCertificate(made.certificate).subject).toBe("CN=etcd-ca");
    expect(certificateExpiry(made.certificate)).toBe(now + 10 * day);
    expect(readCertificate(made.certificate).checkPrivateKey(keys.privateKey)).toBe(true);
  });

  it("is hashed by its public key, one hash per certificate of a bundle", async () => {
    const [first, second] = [await authority("ECDSA-P256"), await authority("RSA-2048")];
    const bundle = first.certificate + second.certificate;
    expect(readCertificates(bundle)).toHaveLength(2);
    expect(caCertHashes(bundle)).toEqual([spkiHash(first.certificate), spkiHash(second.certificate)]);
    expect(caCertHashes("")).toEqual([]);
  });

  it("is remembered, unless it is unusually long", async () => {
    const { certificate } = await authority("ECDSA-P256");
    expect(readCertificates(certificate)).toBe(readCertificates(certificate));
    const long = certificate + "\n".repeat(65_536);
    expect(readCertificates(long)).toHaveLength(1);
    expect(readCertificates(long)).not.toBe(readCertificates(long));
  });
});

describe("leaf certificates", () => {
  it.each(["RSA-2048", "ECDSA-P384"] as const)("are signed by a %s authority", async (algorithm) => {
    const ca = await authority(algorithm);
    const leaf = await issueCertificate(ca, {
      now,
      commonName: "kubernetes-admin",
      organizations: ["system:masters", "team-a"],
      usages: ["client"],
      algorithm: "ECDSA-P256",
    });
    const certificate = readCertificate(leaf.certificate);
    expect(certificate.subject.split("\n").sort()).toEqual(["CN=kubernetes-admin", "O=system:masters", "O=team-a"]);
    expect(certificate.checkIssued(readCertificate(ca.certificate))).toBe(true);
    expect(certificate.verify(readCertificate(ca.certificate).publicKey)).toBe(true);
    expect(certificate.ca).toBe(false);
    expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.2"]);
    expect(certificate.validFrom).toBe(readCertificate(ca.certificate).validFrom);
    expect(certificate.validToDate.getTime()).toBe(now + 365 * day);
    const serial = BigInt(`0x${certificate.serialNumber}`);
    expect(serial > 0n && serial < 2n ** 63n).toBe(true);
    expect(certificate.checkPrivateKey(readPrivateKey(leaf.key).privateKey)).toBe(true);
  });

  it("answer to DNS names and addresses", async () => {
    const leaf = await issueCertificate(await authority("ECDSA-P256"), {
      now,
      commonName: "kube-apiserver",
      hosts: ["localhost", "kubernetes.default.svc", "127.0.0.1", "::1"],
      usages: ["server", "client"],
      algorithm: "ECDSA-P256",
    });
    const certificate = readCertificate(leaf.certificate);
    expect(certificate.checkHost("kubernetes.default.svc")).toBe("kubernetes.default.svc");
    expect(certificate.checkHost("example.org")).toBeUndefined();
    expect(certificate.checkIP("127.0.0.1")).toBe("127.0.0.1");
    expect(certificate.checkIP("::1")).toBe("::1");
    expect(certificate.checkIP("127.0.0.2")).toBeUndefined();
  });

  it.each(["10.0.0.1", "::", "fe80::1", "2001:db8::ff00:42:8329", "1:2:3:4:5:6:7:8", "::ffff:192.0.2.1"])(
    "carry the address %s",
    async (address) => {
      const options = { now, commonName: "x", hosts: [address], usages: ["server"], algorithm: "ECDSA-P256" } as const;
      const { certificate } = await issueCertificate(await authority("ECDSA-P256"), options);
      expect(readCertificate(certificate).checkIP(address)).toBeDefined();
      expect(readCertificate(certificate).checkIP("192.0.2.99")).toBeUndefined();
    },
  );

  it("carry an address with a zone without its zone", async () => {
    const hosts = ["fe80::1%eth0"];
    const options = { now, commonName: "x", hosts, usages: ["server"], algorithm: "ECDSA-P256" } as const;
    const { certificate } = await issueCertificate(await authority("ECDSA-P256"), options);
    expect(readCertificate(certificate).checkIP("fe80::1")).toBe("fe80::1");
  });

  it("carry names of any length and script, and times beyond 2049", async () => {
    const commonName = `system:node:${"ä".repeat(30)}`;
    const organizations = Array.from({ length: 40 }, (_, index) => `group-${index}`);
    const leaf = await issueCertificate(await authority("ECDSA-P256"), {
      now,
      commonName,
      organizations,
      usages: ["client"],
      validityDays: 36_500,
    });
    const certificate = readCertificate(leaf.certificate);
    expect(certificate.subject).toBe([...organizations.map((name) => `O=${name}`), `CN=${commonName}`].join("\n"));
    expect(certificateExpiry(leaf.certificate)).toBe(now + 36_500 * day);
  });

  it.skipIf(openssl === undefined)("are accepted by strict verifiers", async () => {
    const directory = mkdtempSync(join(tmpdir(), "capstan-pki-"));
    const ca = await createCertificateAuthority({ now: Date.now(), algorithm: "ECDSA-P384" });
    const leaf = await issueCertificate(ca, {
      now: Date.now(),
      commonName: "x",
      hosts: ["localhost"],
      usages: ["server"],
    });
    writeFileSync(join(directory, "ca.pem"), ca.certificate);
    const verified = execFileSync(
      openssl ?? "",
      ["verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", join(directory, "ca.pem")],
      { input: leaf.certificate },
    ).toString();
    rmSync(directory, { recursive: true });
    expect(verified).toMatch(/OK/);
  });

  it.skipIf(openssl === undefined)("name their authority byte for byte when openssl made it", async () => {
    const keys = await generateKeys("RSA-2048");
    const directory = mkdtempSync(join(tmpdir(), "capstan-pki-"));
    const keyFile = join(directory, "ca.key");
    writeFileSync(keyFile, privateKeyPem(keys.privateKey), { mode: 0o600 });
    const subject = "/O=Example Org/CN=kubernetes";
    const made = execFileSync(openssl ?? "", [
      "req",
      "-x509",
      "-key",
      keyFile,
      "-days",
      "5",
      "-subj",
      subject,
    ]).toString();
    rmSync(directory, { recursive: true });
    const ca = { certificate: made, key: privateKeyPem(keys.privateKey) };
    const leaf = await issueCertificate(ca, { now: Date.now(), commonName: "x", usages: ["client"], validityDays: 1 });
    expect(readCertificate(leaf.certificate).checkIssued(readCertificate(made))).toBe(true);
  });

  it("refuse an authority whose key is another's", async () => {
    const [first, second] = [await authority("ECDSA-P256"), await authority("ECDSA-P256")];
    await expect(
      issueCertificate(
        { certificate: first.certificate, key: second.key },
        { now, commonName: "x", usages: ["client"] },
      ),
    ).rejects.toMatchObject({ code: "pki.bad_key" });
  });
});

describe("kubeconfig", () => {
  const config = {
    server: "https://203.0.113.40:6443",
    certificateAuthority: "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n",
    clusterName: "orchid",
    userName: "orchid-admin",
    contextName: "orchid-admin@orchid",
    clientCertificate: "cert\n",
    clientKey: "key\n",
  };

  it("survives a round trip", () => {
    expect(parseKubeconfig(renderKubeconfig(config))).toEqual(config);
    const server = { server: "https://h", clusterName: "c", tlsServerName: "s", proxyUrl: "http://p:3128" };
    const token = { ...server, userName: "u", token: "t", namespace: "n" };
    expect(parseKubeconfig(renderKubeconfig(token))).toEqual({ ...token, contextName: "u@c" });
  });

  it.each([
    ["{", "not a YAML document"],
    ["kind: Config", 'no entry "" in contexts'],
    [renderKubeconfig(config).replace("server: https://203.0.113.40:6443", "other: x"), "has no server"],
    [renderKubeconfig(config).replace("    user:\n", "    user:\n      exec: { command: aws }\n"), "has exec"],
    [renderKubeconfig(config).replace("client-key-data:", "client-key:"), "has client-key"],
    [renderKubeconfig(config).replace("server:", "insecure-skip-tls-verify: true\n      server:"), "has insecure"],
  ])("is refused with the reason (%#)", (document, reason) => {
    expect(() => parseKubeconfig(document)).toThrow(reason);
  });
});
