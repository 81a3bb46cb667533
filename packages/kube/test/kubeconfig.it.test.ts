import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect as connectSocket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeClock } from "@capstan/testing";
import { afterEach, expect, it } from "vitest";
import { connect, loadKubeconfig } from "../src/index.ts";
import { jsonServer } from "./json-server.ts";
import { ScriptedServer, serverCertificate } from "./scripted-server.ts";

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
    await expect(load).rejects.toThrow("impersonates");
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

it("goes through the proxy that the cluster names", async () => {
  const target = await new ScriptedServer({ tls: true }).start();
  closing.push(() => target.stop());
  const tunnels: string[] = [];
  const proxy = createServer().on("connect", (request, socket) => {
    tunnels.push(request.url ?? "");
    const { hostname, port } = new URL(`http://${request.url}`);
    const upstream = connectSocket(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      upstream.pipe(socket).pipe(upstream);
    });
    closing.push(() => void upstream.destroy());
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  closing.push(() => void proxy.close());
  const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const ca = { "certificate-authority-data": btoa(serverCertificate) };
  const access = await loadKubeconfig({ text: kubeconfig(target.url, {}, { ...ca, "proxy-url": proxyUrl }) });
  const connection = connect({ access, clock: fakeClock() });
  closing.push(() => connection.close());
  expect((await connection.send({ method: "GET", path: "/api/v1/widgets" })).status).toBe(200);
  expect(tunnels).toEqual([new URL(target.url).host]);
});
