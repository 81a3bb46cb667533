import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { Access } from "../src/access.ts";
import { kubeconfigAccess } from "../src/auth/kubeconfig.ts";
import { plainAccess } from "../src/auth/plain-kubeconfig.ts";

const folder = mkdtempSync(join(tmpdir(), "capstan-plain-"));
afterAll(() => rmSync(folder, { recursive: true }));
for (const name of ["ca", "crt", "key", "token"]) writeFileSync(join(folder, name), `${name} of a file\n`);

let files = 0;

const write = (user: object, cluster: object = {}, context: object = {}): { readonly file: string } => {
  const file = join(folder, `config-${++files}`);
  const document = {
    "current-context": "main",
    clusters: [{ name: "c", cluster: { server: "https://a.test:6443", ...cluster } }],
    users: [{ name: "u", user }],
    contexts: [{ name: "main", context: { cluster: "c", user: "u", ...context } }],
  };
  writeFileSync(file, JSON.stringify(document));
  return { file };
};

const seen = async (access: Access | undefined): Promise<unknown> => {
  const { tls, authorization } = (await access?.credentials()) ?? { tls: {} };
  const { clientKey, ...rest } = tls;
  const { url, proxyUrl, namespace } = access ?? {};
  return { url, proxyUrl, namespace, ...rest, key: clientKey?.reveal(), authorization: authorization?.reveal() };
};

const data = (text: string): string => Buffer.from(text).toString("base64");

it.each<[string, object, object?, object?]>([
  ["nobody", {}],
  ["a token", { token: "t", tokenFile: "token" }],
  ["a token file", { tokenFile: "token" }],
  ["a password", { username: "me", password: "pässword" }],
  ["a certificate", { "client-certificate-data": data("crt"), "client-key-data": data("key") }],
  ["files", { "client-certificate": "crt", "client-key": join(folder, "key") }, { "certificate-authority": "ca" }],
  [
    "an authority and a name",
    { token: "t" },
    { "certificate-authority-data": data("ca"), "tls-server-name": "b.test" },
  ],
  ["no verification", { token: "t" }, { "insecure-skip-tls-verify": true }],
  ["a proxy", { token: "t" }, { "proxy-url": "http://proxy.test:3128" }],
  ["a namespace", { token: "t" }, {}, { namespace: "team-a" }],
])("reads %s as the library does", async (_case, user, cluster, context) => {
  const source = write(user, cluster, context);
  expect(await seen(plainAccess(source))).toEqual(await seen(kubeconfigAccess(source)));
});

it.each<[string, object, object?, object?]>([
  ["plug-ins", { exec: { command: "get-token" } }],
  ["providers", { "auth-provider": { name: "oidc" } }],
  ["impersonation", { token: "t", as: "root" }],
  ["what is wrong", { token: 1 }],
  ["a cluster without an address", { token: "t" }, { server: null }],
  ["a context without its cluster", { token: "t" }, {}, { cluster: "none" }],
  ["a context without its user", { token: "t" }, {}, { user: "none" }],
])("leaves %s to it", (_case, user, cluster, context) => {
  expect(plainAccess(write(user, cluster, context))).toBeUndefined();
});

it("reads a context that names nobody", async () => {
  const source = write({ token: "t" }, {}, { user: "" });
  expect(await seen(plainAccess(source))).toMatchObject({ authorization: undefined });
  expect(await seen(plainAccess(source))).toEqual(await seen(kubeconfigAccess(source)));
});

it("is refused, and not tried without credentials, when its user is missing", () => {
  expect(() => kubeconfigAccess(write({ token: "t" }, {}, { user: "none" }))).toThrow(
    expect.objectContaining({
      code: "kube.kubeconfig_unusable",
      message: expect.stringContaining('"none"') as string,
    }) as Error,
  );
});

it("leaves a document with empty entries to the library", () => {
  const file = join(folder, "empty-entries");
  writeFileSync(file, JSON.stringify({ "current-context": "main", contexts: [null], clusters: [null] }));
  expect(plainAccess({ file })).toBeUndefined();
});

it("says whose credentials are missing", async () => {
  const access = plainAccess(write({ "client-certificate": "none" }));
  await expect(access?.credentials()).rejects.toMatchObject({ code: "kube.unauthorized" });
});
