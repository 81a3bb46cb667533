import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Secret } from "@capstan/contract";
import { createCertificateAuthority } from "@capstan/pki";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Principal } from "../src/cloud/token-source.ts";
import { tokenSource } from "../src/cloud/token-source.ts";
import type { AzureSimulator } from "@capstan/sim-azure";
import { createAzureSimulator } from "@capstan/sim-azure";
import { readToken } from "@capstan/sim-azure";

let simulator: AzureSimulator;
let folder: string;
beforeAll(async () => {
  // Azure's library dates assertions by the time of day.
  simulator = await createAzureSimulator({ clock: systemClock, random: cryptoRandom });
  await simulator.start();
  folder = mkdtempSync(join(tmpdir(), "capstan-azure-token-"));
});
afterAll(async () => {
  await simulator.stop();
  rmSync(folder, { recursive: true });
});

afterEach(() => vi.unstubAllEnvs());

const call = { signal: AbortSignal.timeout(60_000) };

const sourceOf = (principal: Principal) =>
  tokenSource(principal, {
    authority: simulator.url,
    audience: simulator.url,
    ca: simulator.ca,
    defaultCredentials: { folder },
  });

const who = () => ({ tenant: simulator.tenantId, client: simulator.principals[0]!.clientId });

const claimsOf = async (principal: Principal) =>
  readToken((await sourceOf(principal).token(call)).reveal(), simulator.state.key);

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("a token", () => {
  it("is given for a secret, and remembered", async () => {
    const secret = new Secret(simulator.principals[0]!.clientSecret);
    const source = sourceOf({ type: "ClientSecret", ...who(), secret });
    const asked = simulator.login.requests.log.length;
    const first = (await source.token(call)).reveal();
    expect(readToken(first, simulator.state.key)).toMatchObject({ appid: who().client, aud: simulator.url });
    const tokens = () => simulator.login.requests.log.slice(asked).filter(({ method }) => method === "POST").length;
    expect([(await source.token(call)).reveal() === first, tokens()]).toEqual([true, 1]);
  });

  it("is given for a certificate, of a Secret or of a file", async () => {
    const { certificate, key } = await createCertificateAuthority({ commonName: "client", now: systemClock.now() });
    const pem = `${certificate}\n${key}`;
    const path = join(folder, "client.pem");
    writeFileSync(path, pem);
    for (const from of [{ pem: new Secret(pem) }, { path }]) {
      expect(await claimsOf({ type: "Certificate", ...who(), certificate: from })).toMatchObject({
        appid: who().client,
      });
    }
  });

  it("is given for the credentials of an identity, also when the file is renewed", async () => {
    const path = join(folder, "msi.json");
    const renew = async (name: string): Promise<string> => {
      const { certificate, key } = await createCertificateAuthority({ commonName: name, now: systemClock.now() });
      const { client, tenant } = who();
      const client_secret = Buffer.from(`${certificate}\n${key}`).toString("base64");
      writeFileSync(path, JSON.stringify({ client_id: client, tenant_id: tenant, client_secret }));
      return name;
    };
    const source = sourceOf({ type: "IdentityCredential", path, environment: "AzurePublicCloud" });
    await expect(source.token(call)).rejects.toMatchObject({
      code: "default_credentials.file_refused",
      message: expect.stringContaining(
        "spec.userAssignedIdentityCredentialsPath of the AzureClusterIdentity",
      ) as string,
    });
    await renew("first");
    const first = (await source.token(call)).reveal();
    expect(readToken(first, simulator.state.key)).toMatchObject({ appid: who().client });
    const asked = simulator.login.requests.log.length;
    await source.token(call);
    expect(simulator.login.requests.log.length, "it is remembered").toBe(asked);
    await renew("second");
    await source.token(call);
    expect(simulator.login.requests.log.length, "and asked for with what is new").toBeGreaterThan(asked);
    writeFileSync(path, "{}");
    await expect(source.token(call)).rejects.toMatchObject({ code: "azure.unauthorized" });
  });

  it("is given for the token of this process, which a file holds", async () => {
    const tokenFile = join(folder, "token");
    const exp = Math.floor(systemClock.now() / 1000) + 600;
    writeFileSync(tokenFile, `${part({ alg: "none" })}.${part({ sub: "manager", exp })}.x`);
    expect(await claimsOf({ type: "Federated", ...who(), tokenFile })).toMatchObject({ appid: who().client });
  });

  it("is given for a managed identity of the computer, and for no other", async () => {
    vi.stubEnv("AZURE_POD_IDENTITY_AUTHORITY_HOST", simulator.identity.url);
    expect(await claimsOf({ type: "Managed", client: who().client })).toMatchObject({
      appid: who().client,
      aud: simulator.url,
    });
    const [asked] = simulator.identity.requests.log;
    expect(asked).toMatchObject({ method: "GET", path: expect.stringContaining("identity/oauth2/token") as string });
    const failure = await claimsOf({ type: "Managed", client: "nobody" }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "azure.unauthorized" });
    expect(String(failure)).toMatch(/: Identity not found; assign this machine the identity nobody/);
    const bare = await fetch(`${simulator.identity.url}/metadata/identity/oauth2/token?resource=x`);
    expect([bare.status, await bare.json()]).toEqual([
      400,
      { error: "invalid_request", error_description: "Required metadata header not specified" },
    ]);
  });

  it("is not given for a wrong secret, which the error does not repeat", async () => {
    const source = sourceOf({ type: "ClientSecret", ...who(), secret: new Secret("wrong-secret-of-somebody") });
    const failure = await source.token(call).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "azure.unauthorized", retry: { kind: "never" } });
    expect(String(failure)).toMatch(/AADSTS7000215.*check the AzureClusterIdentity/);
    expect(String(failure)).not.toContain("wrong-secret-of-somebody");
  });

  it("that nobody gives is asked for again", async () => {
    const secret = new Secret("x");
    const nowhere = tokenSource(
      { type: "ClientSecret", ...who(), secret },
      { authority: "https://127.0.0.1:1", audience: simulator.url },
    );
    await expect(nowhere.token(call)).rejects.toMatchObject({ code: "azure.unavailable" });
  });
});
