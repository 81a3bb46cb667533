import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { certificateFiles } from "@capstan/kit/bootstrap";
import { createCertificateAuthority, createServiceAccountKeys } from "@capstan/pki";
import { recentClock } from "@capstan/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import {
  clusterConfiguration,
  initConfiguration,
  kubeadmCertificates,
  renderBootstrapDocument,
} from "../src/render.ts";
import { ask, kubeadm, kubeadmMissing } from "./kubeadm-programs.ts";

interface Document {
  readonly write_files?: readonly { readonly path: string; readonly content: string }[];
}

const golden = new URL("__golden__/", import.meta.url);

/** What cloud-init would read once the template is filled in. */
const read = (text: string): Document => parse(text.replaceAll(/\{\{.*?\}\}/g, "m"), { version: "1.1" }) as Document;

const configurations = [
  ...readdirSync(golden),
  ...readdirSync(new URL("documents/", golden)).map((name) => `documents/${name}`),
]
  .filter((name) => name.endsWith(".yaml") && !name.endsWith(".input.yaml"))
  .flatMap((name) => {
    const files = read(readFileSync(new URL(name, golden), "utf8")).write_files ?? [];
    const file = files.find(({ path }) => path.startsWith("/run/kubeadm/"));
    return file === undefined ? [] : [[name, file.content] as const];
  });

/** Documents that hold every field there is, with values that contradict each other, or name files that are not here. */
const refusedValues: Readonly<Record<string, RegExp>> = {
  "documents/init-full.output.yaml": /bootstrapTokens/,
  "documents/init-full-v1beta3.output.yaml": /bootstrapTokens/,
  "documents/join-worker-file-exec.output.yaml": /discovery\.file\.kubeConfigPath/,
  "documents/join-worker-file-provider.output.yaml": /discovery\.file\.kubeConfigPath/,
};

const missing = kubeadmMissing();
const rootMissing = process.getuid?.() === 0 ? undefined : "kubeadm changes its root, which takes root";

describe.skipIf(missing !== undefined)("the real kubeadm", () => {
  let folder: string;
  let version: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "capstan-kubeadm-"));
    version = (await ask(kubeadm, ["version", "--output=short"])).text.trim();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(configurations)("reads every field of %s", async (name, content) => {
    const file = join(folder, "kubeadm.yaml");
    // Each release accepts its own version and the one before it.
    writeFileSync(file, content.replaceAll(/^kubernetesVersion: .*$/gm, `kubernetesVersion: ${version}`));
    const { succeeded, text } = await ask(kubeadm, ["config", "validate", "--config", file]);
    expect(text).not.toMatch(/unknown field|strict decoding|unmarshal/i);
    const refused = refusedValues[name];
    if (refused === undefined) expect(succeeded, text).toBe(true);
    else expect(text).toMatch(refused);
  });

  const algorithms = [
    ["RSA-2048", undefined, /Public-Key: \(2048 bit\)/],
    ["ECDSA-P256", "ECDSA-P256", /NIST CURVE: P-256/],
  ] as const;

  describe.skipIf(rootMissing !== undefined).each(algorithms)("with authorities of %s", (title, algorithm, keyText) => {
    let root: string;
    const path = (name: string): string => join(root, "etc/kubernetes", name);
    const phase = (...args: readonly string[]) =>
      ask(kubeadm, ["--rootfs", root, "init", "phase", ...args, "--config", "/run/kubeadm/kubeadm.yaml"]);

    beforeAll(async () => {
      root = join(folder, title);
      const now = recentClock().now();
      const authority = async (commonName: string) =>
        createCertificateAuthority({ now, commonName, ...(algorithm !== undefined && { algorithm }) });
      const { publicKey, privateKey } = await createServiceAccountKeys(algorithm);
      const pairs = new Map([
        ["ca", await authority("kubernetes")],
        ["etcd", await authority("kubernetes")],
        ["proxy", await authority("kubernetes")],
        ["sa", { certificate: publicKey, key: privateKey }],
      ]);
      const facts = { clusterName: "orchid", kubernetesVersion: version, controlPlaneEndpoint: "203.0.113.40:6443" };
      const encryption = algorithm === undefined ? {} : { encryptionAlgorithm: algorithm };
      const text = renderBootstrapDocument({
        spec: {},
        files: [],
        users: [],
        certificateFiles: certificateFiles(kubeadmCertificates(), pairs),
        kubeadm: {
          command: "init",
          clusterConfiguration: clusterConfiguration(encryption, facts, { api: "v1beta4" }),
          initConfiguration: initConfiguration(
            { localAPIEndpoint: { advertiseAddress: "203.0.113.10" }, nodeRegistration: { name: "m" } },
            "v1beta4",
          ),
        },
      });
      for (const { path: file, content } of read(text).write_files ?? []) {
        mkdirSync(dirname(join(root, file)), { recursive: true });
        writeFileSync(join(root, file), content);
      }
    });

    it("issues the rest of the certificates from them", async () => {
      const { succeeded, text } = await phase("certs", "all");
      expect(succeeded, text).toBe(true);
      expect(text).toContain("Using existing ca certificate authority");
      expect(text).toContain('Using the existing "sa" key');
      const chains = {
        "pki/ca.crt": "pki/apiserver.crt",
        "pki/etcd/ca.crt": "pki/etcd/server.crt",
        "pki/front-proxy-ca.crt": "pki/front-proxy-client.crt",
      };
      for (const [ca, leaf] of Object.entries(chains)) {
        const verified = await ask("openssl", ["verify", "-x509_strict", "-CAfile", path(ca), path(leaf)]);
        expect(verified.text).toContain(": OK");
      }
    });

    it("writes kubeconfigs and static Pods for them", async () => {
      const configs = await phase("kubeconfig", "all");
      expect(configs.succeeded, configs.text).toBe(true);
      const pods = await phase("control-plane", "all");
      expect(pods.succeeded, pods.text).toBe(true);
      const etcd = await phase("etcd", "local");
      expect(etcd.succeeded, etcd.text).toBe(true);
      for (const name of ["admin.conf", "kubelet.conf", "manifests/kube-apiserver.yaml", "manifests/etcd.yaml"]) {
        expect(existsSync(path(name)), name).toBe(true);
      }
      expect(readFileSync(path("admin.conf"), "utf8")).toContain("server: https://203.0.113.40:6443");
    });

    it.each(["pki/ca", "pki/etcd/ca", "pki/front-proxy-ca"])("%s is one to openssl", async (name) => {
      const { text } = await ask("openssl", ["x509", "-in", path(`${name}.crt`), "-noout", "-text"]);
      expect(text).toMatch(/Issuer: CN = kubernetes\n/);
      expect(text).toMatch(/Subject: CN = kubernetes\n/);
      expect(text).toMatch(/X509v3 Basic Constraints: critical\s+CA:TRUE/);
      expect(text).toMatch(/X509v3 Key Usage: critical\s+Digital Signature, Key Encipherment, Certificate Sign/);
      expect(text).toMatch(keyText);
      const year = (what: string): number => Number(new RegExp(`${what}.*(\\d{4}) GMT`).exec(text)?.[1]);
      expect(year("Not After") - year("Not Before")).toBe(10);
      const own = await ask("openssl", ["verify", "-x509_strict", "-CAfile", path(`${name}.crt`), path(`${name}.crt`)]);
      expect(own.text).toContain(": OK");
      const ofCertificate = await ask("openssl", ["x509", "-in", path(`${name}.crt`), "-noout", "-pubkey"]);
      const ofKey = await ask("openssl", ["pkey", "-in", path(`${name}.key`), "-pubout"]);
      expect(ofKey.text).toBe(ofCertificate.text);
    });

    it("the keys for ServiceAccounts are a pair to openssl", async () => {
      const { text } = await ask("openssl", ["pkey", "-in", path("pki/sa.key"), "-pubout"]);
      expect(text.trim()).toBe(readFileSync(path("pki/sa.pub"), "utf8").trim());
    });
  });
});

describe.skipIf(missing === undefined)("the real kubeadm", () => {
  it("is asked", ({ skip }) => skip(missing));
});
