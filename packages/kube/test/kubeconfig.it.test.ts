import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeClock, startConnectProxy } from "@capstan/testing";
import { afterEach, expect, it } from "vitest";
import { connect, loadKubeconfig } from "../src/index.ts";
import { jsonServer } from "./json-server.ts";
import { ScriptedServer, serverCertificate, serverKey } from "./scripted-server.ts";

const closing: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const kubeconfig = (server: string, user: object, cluster: object = {}): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "main",
    clusters: [
      { name: "c", cluster: { server, ...cluster } },
      { name: "other", cluster: { server: "https://other.test" } },
    ],
    users: [{ name: "u", user }],
    contexts: [
      { name: "main", context: { cluster: "c", user: "u" } },
      { name: "second", context: { cluster: "other", user: "u", namespace: "team-a" } },
      { name: "broken", context: { cluster: "none", user: "u" } },
    ],
  });

const scratch = (): string => {
  const directory = mkdtempSync(join(tmpdir(), "capstan-kubeconfig-"));
  closing.push(() => rmSync(directory, { recursive: true }));
  return directory;
};

const authorizationFor = async (user: object): Promise<string | undefined> => {
  const server = await jsonServer(() => ({ code: 200 }));
  closing.push(() => server.stop());
  const access = await loadKubeconfig({ text: kubeconfig(server.url, user) });
  const connection = connect({ access, clock: fakeClock() });
  closing.push(() => connection.close());
  await connection.send({ method: "GET", path: "/version" });
  return server.requests.at(-1)?.headers.authorization;
};

it("knows the namespace of the context", async () => {
  const text = kubeconfig("https://main.test", {});
  expect((await loadKubeconfig({ text })).namespace).toBeUndefined();
  expect((await loadKubeconfig({ text, context: "second" })).namespace).toBe("team-a");
});

it("uses tokens, passwords and token files", async () => {
  expect(await authorizationFor({ token: "abc" })).toBe("Bearer abc");
  expect(await authorizationFor({ username: "me", password: "pw" })).toBe(`Basic ${btoa("me:pw")}`);
  const tokenFile = join(scratch(), "token");
  writeFileSync(tokenFile, "from-file\n");
  expect(await authorizationFor({ "auth-provider": { name: "tokenFile", config: { tokenFile } } })).toBe(
    "Bearer from-file",
  );
});

it("reads a token file of kubectl's kind again when the token in it was rotated", async () => {
  const file = join(scratch(), "config");
  writeFileSync(join(file, "..", "token"), "first\n");
  let accepted = "Bearer first";
  const server = await jsonServer(({ headers }) => ({ code: headers.authorization === accepted ? 200 : 401 }));
  closing.push(() => server.stop());
  writeFileSync(file, kubeconfig(server.url, { tokenFile: "token" }));
  const connection = connect({ access: await loadKubeconfig({ file }), clock: fakeClock() });
  closing.push(() => connection.close());
  const ask = async (): Promise<number> => (await connection.send({ method: "GET", path: "/version" })).status;
  expect(await ask()).toBe(200);
  accepted = "Bearer second";
  expect(await ask()).toBe(401);
  writeFileSync(join(file, "..", "token"), "second");
  expect(await ask()).toBe(200);
  expect(server.requests).toHaveLength(4);
});

it.each([{ as: "root" }, { "as-groups": ["system:masters"] }])(
  "refuses to act as somebody else: %o",
  async (fields) => {
    const load = loadKubeconfig({ text: kubeconfig("https://a.test", { token: "t", ...fields }) });
    await expect(load).rejects.toMatchObject({ code: "kube.kubeconfig_unusable" });
    await expect(load).rejects.toThrow("uses impersonation");
  },
);

it("takes the name to verify, and verifies nothing where the document says so", async () => {
  const cluster = { "tls-server-name": "api.internal", "insecure-skip-tls-verify": true };
  const access = await loadKubeconfig({ text: kubeconfig("https://203.0.113.1:6443", { token: "t" }, cluster) });
  expect((await access.credentials()).tls).toMatchObject({ serverName: "api.internal", skipVerify: true });
});

it("runs exec plug-ins", async () => {
  const plugin = join(scratch(), "plugin.mjs");
  const credential = {
    kind: "ExecCredential",
    apiVersion: "client.authentication.k8s.io/v1",
    status: { token: "ran" },
  };
  writeFileSync(plugin, `#!/usr/bin/env node\nprocess.stdout.write(${JSON.stringify(JSON.stringify(credential))});\n`);
  chmodSync(plugin, 0o755);
  const exec = { apiVersion: "client.authentication.k8s.io/v1", command: process.execPath, args: [plugin] };
  expect(await authorizationFor({ exec })).toBe("Bearer ran");
  await expect(authorizationFor({ exec: { ...exec, args: ["-e", "process.exit(1)"] } })).rejects.toMatchObject({
    code: "kube.unauthorized",
  });
});

it("reads files, verifies the server by the CA in the document, and can take another context", async () => {
  const server = await new ScriptedServer({ tls: true }).start();
  closing.push(() => server.stop());
  const file = join(scratch(), "config");
  writeFileSync(file, kubeconfig(server.url, {}, { "certificate-authority-data": btoa(serverCertificate) }));
  const access = await loadKubeconfig({ file });
  const connection = connect({ access, clock: fakeClock() });
  closing.push(() => connection.close());
  expect((await connection.send({ method: "GET", path: "/api/v1/widgets" })).status).toBe(200);
  expect((await loadKubeconfig({ file, context: "second" })).url).toBe("https://other.test");
  await expect(loadKubeconfig({ file, context: "broken" })).rejects.toMatchObject({ code: "kube.kubeconfig_unusable" });
  await expect(loadKubeconfig({ file: `${file}-none` })).rejects.toMatchObject({ code: "kube.kubeconfig_unusable" });
});

it.each(["http:", "https:"])("goes through the proxy that the cluster names, by %s", async (protocol) => {
  const target = await new ScriptedServer({ tls: true }).start();
  closing.push(() => target.stop());
  const tls = protocol === "https:" ? { cert: serverCertificate, key: serverKey } : undefined;
  await using proxy = await startConnectProxy(Number(new URL(target.url).port), { tls });
  const cluster = { "certificate-authority-data": btoa(serverCertificate), "proxy-url": proxy.url };
  const access = await loadKubeconfig({ text: kubeconfig(target.url, {}, cluster) });
  const connection = connect({ access, clock: fakeClock() });
  closing.push(() => connection.close());
  expect((await connection.send({ method: "GET", path: "/api/v1/widgets" })).status).toBe(200);
  expect(new URL(proxy.url).protocol).toBe(protocol);
  expect(proxy.asked).toEqual([new URL(target.url).host]);
});

it.each([
  ["socks5://me:secret@proxy.test:1080", "a SOCKS proxy"],
  ["proxy.test:3128", "no HTTP proxy"],
  ["secret", "no HTTP proxy"],
])("refuses the proxy %s without repeating it", async (proxyUrl, what) => {
  const access = await loadKubeconfig({ text: kubeconfig("https://a.test", {}, { "proxy-url": proxyUrl }) });
  const message = `proxy-url for https://a.test is ${what}; use for example http://proxy.example:3128, or remove it`;
  expect(() => connect({ access, clock: fakeClock() })).toThrow(
    expect.objectContaining({ code: "kube.proxy_unusable", message }) as Error,
  );
});
