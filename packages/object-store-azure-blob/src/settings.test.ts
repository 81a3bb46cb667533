import { describe, expect, it } from "vitest";
import { readSettings } from "./settings.ts";

const data = { container: "data", account: "acme1", accountKey: "a2V5" };
const endpoint = "https://acme1.blob.core.windows.net";

describe("readSettings", () => {
  it("takes account and key, of a connection string too", () => {
    const settings = { container: "data", account: "acme1", accountKey: "a2V5", endpoint };
    expect(readSettings(data)).toEqual({ ...settings, client: undefined, identity: undefined, ca: undefined });
    const connectionString =
      "DefaultEndpointsProtocol=https;AccountName=acme1;AccountKey=a2V5;EndpointSuffix=x.example";
    expect(readSettings({ container: "data", connectionString })).toMatchObject({
      accountKey: "a2V5",
      endpoint: "https://acme1.blob.x.example",
    });
  });

  it("takes a client in place of the key, or leaves both to the application", () => {
    const client = { tenantId: "t", clientId: "c", clientSecret: "s" };
    expect(readSettings({ container: "data", account: "acme1", ...client })).toMatchObject({
      accountKey: undefined,
      client: { ...client, authorityHost: undefined },
    });
    expect(readSettings({ ...data, ...client }).client).toBeUndefined();
    expect(readSettings({ container: "data", account: "acme1" })).toMatchObject({
      accountKey: undefined,
      client: undefined,
    });
  });

  it("takes an identity without a secret: of the pod, or of the machine", () => {
    const place = { container: "data", account: "acme1" };
    expect(readSettings({ ...place, identity: "workload", tenantId: "t", clientId: "c" })).toMatchObject({
      client: undefined,
      identity: { type: "workload", tenantId: "t", clientId: "c", authorityHost: undefined },
    });
    expect(readSettings({ ...place, identity: "managed" }).identity).toEqual({ type: "managed", clientId: undefined });
    expect(readSettings({ ...data, identity: "managed" }).identity).toBeUndefined();
  });

  it.each([
    [{ container: "" }, 'the Secret has no "container"'],
    [{ account: " " }, 'the Secret has no "account"'],
    [{ account: "Acme" }, '"account" must be'],
    [{ container: "a--b" }, '"container" must be'],
    [{ accountKey: "not base64!" }, '"accountKey" must be'],
    [{ accountKey: "", sasToken: "sv=1" }, "a SAS token cannot sign URLs"],
    [{ accountKey: "", clientId: "c" }, 'the Secret has no "tenantId"'],
    [{ accountKey: "", tenantId: "t", clientId: "c" }, 'the Secret has no "clientSecret"'],
    [
      { accountKey: "", tenantId: "t", clientId: "c", clientSecret: "s", authorityHost: "x" },
      '"authorityHost" must be',
    ],
    [{ accountKey: "", identity: "own" }, '"identity" must be workload or managed'],
    [{ accountKey: "", identity: "workload", tenantId: "t" }, 'the Secret has no "clientId"'],
    [{ accountKey: "", identity: "managed", clientSecret: "s" }, "mutually exclusive"],
    [{ endpoint: "ftp://x" }, '"endpoint" must be'],
    [{ endpoint: "https://x/?sig=1" }, '"endpoint" must have no query'],
  ])("refuses %j", (change, words) => {
    expect(() => readSettings({ ...data, ...change })).toThrow(words);
  });
});
