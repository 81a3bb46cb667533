import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as tlsRequest } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { ObjectStore } from "@capstan/contract/v1";
import { azureBlobObjectStores } from "@capstan/object-store-azure-blob";
import { systemClock } from "@capstan/runtime";
import type { Service } from "@capstan/simulation";
import type { BlobUse } from "@capstan/simulation/blob";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type SimulatedBlob, simulatedBlob } from "./simulated-blob.ts";

const tenantId = "11111111-2222-3333-4444-555555555555";
const clientId = "66666666-7777-8888-9999-000000000000";
const clientSecret = "the secret of the client";
const assertion = "the federated token of the pod";
const accessToken = "token for https://storage.azure.com/.default";

/** What a login service says with its token. */
let said = "";

/** Knows one client, and gives it a token for what it asks. */
const login: Service = {
  owns: ({ path }) => path.startsWith(`/${tenantId}/`),
  describe: ({ path }) => ({ path }),
  answer: async ({ body, method, serverUrl }) => {
    const headers = { "content-type": "application/json" };
    const [issuer, token_endpoint] = [`${serverUrl}/${tenantId}/v2.0`, `${serverUrl}/${tenantId}/oauth2/v2.0/token`];
    const places = { issuer, authorization_endpoint: token_endpoint, token_endpoint, jwks_uri: token_endpoint };
    if (method === "GET") return { status: 200, headers, body: JSON.stringify(places) };
    const form = new URLSearchParams(Buffer.from(body).toString());
    const isProved = form.get("client_secret") === clientSecret || form.get("client_assertion") === assertion;
    if (form.get("client_id") !== clientId || !isProved) {
      const refusal = { error: "invalid_client", error_description: "AADSTS7000215: Invalid client secret provided." };
      return { status: 401, headers, body: JSON.stringify(refusal) };
    }
    const token = {
      token_type: "Bearer",
      expires_in: 3600,
      access_token: `token for ${form.get("scope")?.split(" ")[0]}`,
      said,
    };
    return { status: 200, headers, body: JSON.stringify(token) };
  },
  refuse: ({ message, status }) => ({ status, headers: {}, body: message }),
};

/** What the roles of the client permit; a test may take some of it away. */
const uses = new Set<BlobUse>();
let blob: SimulatedBlob;
beforeAll(async () => {
  blob = await simulatedBlob(systemClock, {
    login,
    identityOf: (token) =>
      token === accessToken ? { objectId: clientId, tenantId, allows: (use) => uses.has(use) } : undefined,
  });
});
afterAll(() => blob[Symbol.asyncDispose]());
const folder = mkdtempSync(join(tmpdir(), "capstan-blob-identity-"));
afterAll(() => rmSync(folder, { recursive: true }));

const open = (
  change: Readonly<Record<string, string>> = {},
  roles: readonly BlobUse[] = ["read", "write", "delegate"],
) => {
  uses.clear();
  for (const use of roles) uses.add(use);
  const federatedTokenFile = join(folder, "token");
  return azureBlobObjectStores({ clock: systemClock, maxAttempts: 1, federatedTokenFile }).open({
    container: "data",
    account: "acme1",
    endpoint: `${blob.served.url}/acme1`,
    tenantId,
    clientId,
    clientSecret,
    authorityHost: blob.served.url,
    "ca.crt": blob.ca ?? "",
    ...change,
  });
};

const fetched = async (url: string): Promise<{ readonly status: number; readonly text: string }> => {
  const answer = await new Promise<Parameters<NonNullable<Parameters<typeof tlsRequest>[2]>>[0]>((resolve, reject) => {
    tlsRequest(url, { ca: blob.ca }, resolve).on("error", reject).end();
  });
  return { status: answer.statusCode ?? 0, text: (await buffer(answer)).toString() };
};

it("signs URLs by a key that is handed to the identity, and no account key is anywhere", async () => {
  const store = open();
  await store.put("a/b", Buffer.from("hello"));
  const { url } = await store.signGet("a/b", { expiresInSeconds: 60 });
  expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({ skoid: clientId, sktid: tenantId, sp: "r" });
  expect(await fetched(url)).toEqual({ status: 200, text: "hello" });
  expect((await fetched(url.replace("sp=r", "sp=rd"))).status).toBe(403);
  expect((await fetched(url.replace(clientId, tenantId))).status).toBe(403);
  expect(blob.served.requests.violations).toEqual([]);
});

it("acts as the pod by its federated token, without any secret", async () => {
  const own = { identity: "workload", clientSecret: "" };
  await expect(open(own).put("w", Buffer.from("x"))).rejects.toMatchObject({ code: "objectstore.unauthenticated" });
  writeFileSync(join(folder, "token"), assertion);
  const store = open(own);
  await store.put("w", Buffer.from("by token"));
  const { url } = await store.signGet("w", { expiresInSeconds: 60 });
  expect(await fetched(url)).toEqual({ status: 200, text: "by token" });
});

it("signs for seven days, no longer", async () => {
  const { maxSignedSeconds } = open().capabilities;
  const { url } = await open().signGet("a", { expiresInSeconds: maxSignedSeconds });
  expect((await fetched(url)).text).toContain("BlobNotFound");
});

it.each([
  ["a wrong secret", { clientSecret: "guess" }, undefined, "unauthenticated"],
  ["a login service that is not there", { authorityHost: "https://127.0.0.1:1" }, undefined, "unavailable"],
  ["no role that delegates", {}, ["read", "write"], "forbidden"],
] as const)("says which credential is not enough: %s", async (_name, change, roles, code) => {
  const sign = open(change, roles).signGet("k", { expiresInSeconds: 60 });
  const error: unknown = await sign.catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: `objectstore.${code}` });
  expect(JSON.stringify([error, (error as Error).message, (error as Error).cause])).not.toContain(clientSecret);
});

it("reads no answer of a login service that is longer than any", async () => {
  said = "k".repeat(33 * 1024 ** 2);
  try {
    await expect(open().put("k", Buffer.from("x"))).rejects.toMatchObject({
      code: expect.stringContaining("objectstore.") as string,
    });
  } finally {
    said = "";
  }
  await open().put("k", Buffer.from("x"));
});

it("asks nobody for a token where there is nobody", async () => {
  const withoutClient = { tenantId: "", clientId: "", clientSecret: "" };
  const store: ObjectStore = open(withoutClient);
  await expect(store.put("k", Buffer.from("x"))).rejects.toMatchObject({
    code: "objectstore.invalid_config",
    message: expect.stringContaining('"accountKey"') as string,
  });
});
