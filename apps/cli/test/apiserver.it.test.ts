import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Secret } from "@capstan/contract";
import { connect, createClient, loadKubeconfig, type Client } from "@capstan/kube";
import { createCertificateAuthority, createServiceAccountKeys, issueCertificate, parseKubeconfig } from "@capstan/pki";
import { systemClock } from "@capstan/runtime";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { createProgram } from "../src/program.ts";
import { startTestApiserver } from "./test-apiserver.ts";

const repository = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "capstan-apiserver-"));
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const now = Date.now();

const reviewed = async (client: Client): Promise<{ readonly username: string; readonly groups: readonly string[] }> => {
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
  const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  const answer = await client.request<{ status: { userInfo: { username: string; groups: string[] } } }>({
    method: "POST",
    path,
    body,
  });
  return answer.status.userInfo;
};

const kubeconfigClient = async (path: string): Promise<Client> => {
  const connection = connect({ access: await loadKubeconfig({ file: path }), clock: systemClock });
  stops.push(() => connection.close());
  return createClient(connection);
};

const start = async (...args: string[]) => {
  const server = await startTestApiserver(["--secure-port", "0", ...args]);
  stops.push(() => server.stop());
  return server;
};

describe("capstan apiserver", () => {
  it("serves until it is told to stop, and goes on with the same kubeconfig", async () => {
    const data = join(folder, "data");
    const run = (...args: string[]) =>
      spawn(
        process.execPath,
        [
          "--conditions=@capstan/source",
          "apps/cli/src/main.ts",
          "apiserver",
          "--data-dir",
          data,
          "--secure-port",
          "0",
          "-o",
          "json",
          "--log-level",
          "error",
          ...args,
        ],
        { cwd: repository, stdio: ["ignore", "pipe", "inherit"] },
      );
    const kubeconfig = join(folder, "admin.kubeconfig");
    for (const name of ["first", "second"]) {
      const child = run("--write-kubeconfig", kubeconfig);
      const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      const ready = JSON.parse((await lines.next()).value as string) as { type: string; url: string };
      expect(ready).toMatchObject({ type: "ready", kubeconfig });
      if (name === "second") expect(readFileSync(join(folder, "old.kubeconfig"), "utf8")).toContain(ready.url);
      const client = await kubeconfigClient(name === "first" ? kubeconfig : join(folder, "old.kubeconfig"));
      expect(await client.request({ method: "GET", path: "/readyz" })).toBe("ok");
      const namespaces = await client.request<{ items: { metadata: { name: string } }[] }>({
        method: "GET",
        path: "/api/v1/namespaces",
      });
      expect(namespaces.items.some((item) => item.metadata.name === "kept")).toBe(name === "second");
      if (name === "first") {
        const body = { apiVersion: "v1", kind: "Namespace", metadata: { name: "kept" } };
        await client.request({ method: "POST", path: "/api/v1/namespaces", body });
        writeFileSync(join(folder, "old.kubeconfig"), readFileSync(kubeconfig));
        expect(statSync(kubeconfig).mode & 0o777).toBe(0o600);
      }
      child.kill("SIGTERM");
      expect(await ended).toBe(0);
    }
  });

  it("serves kubectl", async (context) => {
    if (spawnSync("kubectl", ["version", "--client"]).status !== 0) context.skip("kubectl is not installed");
    const kubeconfig = join(folder, "kubectl.kubeconfig");
    const server = await startTestApiserver(["--secure-port", "0", "--in-memory", "--write-kubeconfig", kubeconfig]);
    stops.push(() => server.stop());
    const child = spawn("kubectl", ["--kubeconfig", kubeconfig, "get", "namespaces", "-o", "name"]);
    const text = (await child.stdout.toArray()).join("");
    expect(text).toContain("namespace/kube-system");
  });

  it("takes certificates, authorities and tokens from files", async () => {
    const authority = await createCertificateAuthority({ now, algorithm: "ECDSA-P256" });
    const serving = await issueCertificate(authority, {
      now,
      commonName: "api",
      hosts: ["api.example"],
      usages: ["server"],
      algorithm: "ECDSA-P256",
    });
    const alice = await issueCertificate(authority, {
      now,
      commonName: "alice",
      organizations: ["dev"],
      usages: ["client"],
      algorithm: "ECDSA-P256",
    });
    const kubeconfig = join(folder, "given.kubeconfig");
    const server = await start(
      "--in-memory",
      "--write-kubeconfig",
      kubeconfig,
      "--tls-cert-file",
      file("tls.crt", `${serving.certificate}\n${authority.certificate}`),
      "--tls-private-key-file",
      file("tls.key", serving.key),
      "--client-ca-file",
      file("ca.crt", authority.certificate),
      "--token-auth-file",
      file("tokens.csv", 'secret-1,carol,7,"ops,system:masters"\n'),
    );
    const access = { url: server.url, ca: authority.certificate, serverName: "api.example", clock: systemClock };
    const byCertificate = connect({
      ...access,
      clientCertificate: alice.certificate,
      clientKey: new Secret(alice.key),
    });
    const byToken = connect({ ...access, token: new Secret("secret-1") });
    stops.push(
      () => byCertificate.close(),
      () => byToken.close(),
    );
    expect(await reviewed(createClient(byCertificate))).toMatchObject({
      username: "alice",
      groups: ["dev", "system:authenticated"],
    });
    expect(await reviewed(createClient(byToken))).toMatchObject({ username: "carol", uid: "7" });
    // The kubeconfig works although the certificate is for another name and of another authority.
    expect(await reviewed(await kubeconfigClient(kubeconfig))).toMatchObject({ username: "kubernetes-admin" });
    expect(parseKubeconfig(readFileSync(kubeconfig, "utf8")).tlsServerName).toBe("api.example");
  });

  it("accepts tokens of the old key while it signs with a new one", async () => {
    const [before, after] = await Promise.all([
      createServiceAccountKeys("RSA-2048"),
      createServiceAccountKeys("ECDSA-P384"),
    ]);
    const data = join(folder, "keys");
    const tokenOf = async (path: string): Promise<string> => {
      const client = await kubeconfigClient(path);
      const answer = await client.request<{ status: { token: string } }>({
        method: "POST",
        path: "/api/v1/namespaces/kube-system/serviceaccounts/robot/token",
        body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} },
      });
      return answer.status.token;
    };
    const signing = ["--service-account-signing-key-file", file("sa-old.key", before.privateKey)];
    const first = await startTestApiserver(["--secure-port", "0", "--data-dir", data, ...signing]);
    const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot", namespace: "kube-system" } };
    const admin = await kubeconfigClient(join(data, "kubeconfig"));
    await admin.request({ method: "POST", path: "/api/v1/namespaces/kube-system/serviceaccounts", body: account });
    const old = await tokenOf(join(data, "kubeconfig"));
    await first.stop();

    const second = await start(
      "--data-dir",
      data,
      "--service-account-signing-key-file",
      file("sa-new.key", after.privateKey),
      "--service-account-key-file",
      file("sa-old.pub", before.publicKey),
      "--service-account-key-file",
      file("sa-new.pub", after.publicKey),
    );
    const ca = parseKubeconfig(readFileSync(join(data, "kubeconfig"), "utf8")).certificateAuthority!;
    for (const token of [old, await tokenOf(join(data, "kubeconfig"))]) {
      const connection = connect({ url: second.url, ca, token: new Secret(token), clock: systemClock });
      stops.push(() => connection.close());
      expect((await reviewed(createClient(connection))).username).toBe("system:serviceaccount:kube-system:robot");
    }
  });

  it("writes an audit log as the policy wants it, complete once it has stopped", async () => {
    const log = join(folder, "audit.log");
    const kubeconfig = join(folder, "audited.kubeconfig");
    const policy = file(
      "policy.yaml",
      [
        "apiVersion: audit.k8s.io/v1",
        "kind: Policy",
        "omitStages: [RequestReceived]",
        "rules:",
        '- {level: Request, resources: [{group: "", resources: [configmaps]}]}',
      ].join("\n"),
    );
    const args = ["--audit-log-path", log, "--audit-policy-file", policy, "--write-kubeconfig", kubeconfig];
    const server = await startTestApiserver(["--in-memory", "--secure-port", "0", ...args]);
    const client = await kubeconfigClient(kubeconfig);
    const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "one" }, data: { a: "1" } };
    await client.request({ method: "POST", path: "/api/v1/namespaces/default/configmaps", body });
    await client.request({ method: "GET", path: "/api/v1/namespaces" });
    await server.stop();
    const events = readFileSync(log, "utf8").trimEnd().split("\n");
    expect(events.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { verb: "create", user: { username: "kubernetes-admin" }, requestObject: { data: { a: "1" } } },
    ]);
    expect(statSync(log).mode & 0o777).toBe(0o600);
  });

  it("runs the controllers that are wanted", async () => {
    const kubeconfig = join(folder, "none.kubeconfig");
    await start("--in-memory", "--controllers", "", "--write-kubeconfig", kubeconfig);
    const client = await kubeconfigClient(kubeconfig);
    const accounts = await client.request<{ items: unknown[] }>({ method: "GET", path: "/api/v1/serviceaccounts" });
    expect(accounts.items).toEqual([]);
  });
});

describe("capstan apiserver refuses", async () => {
  const authority = await createCertificateAuthority({ now, algorithm: "ECDSA-P256" });
  const other = await createServiceAccountKeys("RSA-2048");
  const certificate = file("some.crt", authority.certificate);
  const key = file("some.key", authority.key);
  const otherKey = file("other.key", other.privateKey);
  const noPem = file("no.pem", "hello\n");
  const broken = file("broken.crt", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
  const missing = join(folder, "missing.pem");

  it.each([
    [["--tls-cert-file", certificate], /--tls-cert-file and --tls-private-key-file belong together/],
    [["--tls-cert-file", missing, "--tls-private-key-file", key], /--tls-cert-file .*missing\.pem: no such file/],
    [["--tls-cert-file", folder, "--tls-private-key-file", key], /--tls-cert-file .*: it is a folder/],
    [
      ["--tls-cert-file", key, "--tls-private-key-file", key],
      /--tls-cert-file .*: its first block is .*KEY; expected CERT/,
    ],
    [["--tls-cert-file", noPem, "--tls-private-key-file", key], /--tls-cert-file .*no\.pem: it is not PEM/],
    [["--tls-cert-file", broken, "--tls-private-key-file", key], /--tls-cert-file .*: a certificate in it is damaged/],
    [
      ["--tls-cert-file", certificate, "--tls-private-key-file", certificate],
      /--tls-private-key-file .*: its first block is CERT/,
    ],
    [
      ["--tls-cert-file", certificate, "--tls-private-key-file", otherKey],
      /--tls-private-key-file .*: the key is not that of/,
    ],
    [["--client-ca-file", noPem], /--client-ca-file .*no\.pem: it is not PEM/],
    [["--token-auth-file", file("two.csv", "a,b\n")], /--token-auth-file .*two\.csv:1: has 2 columns/],
    [["--service-account-key-file", noPem], /--service-account-key-file .*: it is not PEM/],
    [
      ["--service-account-signing-key-file", otherKey, "--service-account-key-file", certificate],
      /--service-account-signing-key-file .*no --service-account-key-file contains the public half/,
    ],
    [["--bind-address", "203.0.113.1"], /--bind-address 203\.0\.113\.1 .*This machine has no address/],
    [
      ["--audit-log-path", join(folder, "nowhere", "a")],
      /^--audit-log-path \S+: there is no folder \S+nowhere; choose/,
    ],
    [["--audit-log-path", folder], /^--audit-log-path \S+: it is a folder; choose a file/],
    [["--audit-log-path", ""], /^--audit-log-path: must name a file, or - for standard output; it is empty$/],
    [["--audit-policy-file", noPem], /--audit-policy-file requires --audit-log-path/],
    [["--audit-log-path", "-", "--audit-policy-file", missing], /--audit-policy-file .*: no such file/],
    [
      ["--audit-log-path", "-", "--audit-policy-file", noPem],
      /--audit-policy-file .*: the audit policy is wrong at the doc/,
    ],
    [
      ["--audit-log-path", "-", "--audit-policy-file", file("bad.yaml", "a: 1\nb: [\n")],
      /--audit-policy-file .*bad\.yaml:3: /,
    ],
    [["--write-kubeconfig", join(folder, "nowhere", "k")], /--write-kubeconfig .*there is no folder/],
  ])("%j", async (args, message) => {
    await expect(startTestApiserver(["--secure-port", "0", "--in-memory", ...args])).rejects.toThrow(message);
  });

  it("a port that is taken", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    stops.push(() => new Promise((resolve) => taken.close(() => resolve())));
    const { port } = taken.address() as AddressInfo;
    await expect(startTestApiserver(["--in-memory", "--secure-port", `${port}`])).rejects.toThrow(
      `--secure-port ${port}: Port ${port} on 127.0.0.1 is taken by another program`,
    );
  });

  it("a data folder that is in use, and one with a file that is none", async () => {
    const data = join(folder, "used");
    await start("--data-dir", data);
    await expect(startTestApiserver(["--secure-port", "0", "--data-dir", data])).rejects.toThrow(
      /--data-dir .*used: The data file .* is in use by another server/,
    );
    const damaged = mkdtempSync(join(folder, "damaged-"));
    writeFileSync(join(damaged, "management.sqlite"), "x".repeat(5000));
    await expect(startTestApiserver(["--secure-port", "0", "--data-dir", damaged])).rejects.toThrow(
      /--data-dir .*: The data file .* is damaged/,
    );
  });

  it.skipIf(process.getuid?.() === 0)("a file that may not be read", async () => {
    const closed = file("closed.pem", authority.certificate);
    chmodSync(closed, 0);
    await expect(startTestApiserver(["--in-memory", "--client-ca-file", closed])).rejects.toThrow(
      /--client-ca-file .*closed\.pem: the file may not be read/,
    );
  });

  it.each([
    ["--bind-address", "localhost"],
    ["--secure-port", "70000"],
    ["--secure-port", ""],
    ["--controllers", "nope"],
    ["--service-cluster-ip-range", "10.0.0.0"],
    ["--service-cluster-ip-range", "10.0.0.0/31"],
    ["--service-cluster-ip-range", "fd00::/108"],
    ["--service-account-issuer", "::"],
    ["--audit-log-maxsize", "0"],
    ["--audit-log-maxage", "1.5"],
    ["--log-level", "loud"],
    ["--nope", ""],
  ])("%s %s as a wrong flag", async (...args) => {
    const run = createProgram({ apiserver: () => Promise.reject(new Error("it ran")), writeError: () => undefined });
    expect(await run.run(["apiserver", ...args])).toBe(1);
  });
});
