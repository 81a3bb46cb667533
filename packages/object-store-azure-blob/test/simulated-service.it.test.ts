import { createHmac } from "node:crypto";
import { azureBlobObjectStores } from "../src/index.ts";
import { type FakeClock, fakeClock, seededRandom } from "@capstan/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { blobService, signedBlobUrl, type StorageAccount } from "@capstan/simulation/blob";
import { type Served, type SimulatedState, type Simulation, simulation } from "@capstan/simulation";

interface Accounts extends SimulatedState {
  accounts: StorageAccount[];
}

const keys = ["first key of the account", "second key of the account"].map((text) =>
  Buffer.from(text).toString("base64"),
);

let clock: FakeClock;
let cloud: Simulation<Accounts>;
let served: Served;
beforeEach(async () => {
  clock = fakeClock();
  const accounts = [{ name: "acme1", keys, containers: { data: [] } }];
  const state = { version: 1, empty: () => ({ accounts }) };
  cloud = await simulation<Accounts>({ name: "blob", state }, { clock, random: seededRandom(process.pid) });
  served = cloud
    .server()
    .serve("blob", blobService({ accounts: () => cloud.state.accounts, cloud, maxObjectBytes: 100 }));
  await cloud.start();
});
afterEach(() => cloud.stop());

const account = (): StorageAccount => cloud.state.accounts[0]!;

const open = (change: Readonly<Record<string, string>> = {}) =>
  azureBlobObjectStores({ clock }).open({
    container: "data",
    account: "acme1",
    accountKey: keys[0]!,
    endpoint: `${served.url}/acme1`,
    ...change,
  });

/** A request that is signed with a key of the account, by the rules of the documentation. */
const signed = async (
  method: string,
  path: string,
  {
    body,
    headers = {},
    key = keys[0]!,
    date = clock.now(),
  }: {
    readonly body?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly key?: string;
    readonly date?: number;
  } = {},
) => {
  const url = new URL(`${served.url}/acme1${path}`);
  const own = { "x-ms-date": new Date(date).toUTCString(), "x-ms-version": "2021-12-02", ...headers };
  const standard = (name: string): string => (own as Readonly<Record<string, string>>)[name] ?? "";
  const length = body === undefined || body === "" ? "" : String(Buffer.byteLength(body));
  const values = ["", "", length, standard("content-md5"), standard("content-type"), ""];
  const conditions = ["", standard("if-match"), standard("if-none-match"), "", standard("range")];
  const canonicalHeaders = Object.entries(own)
    .filter(([name]) => name.startsWith("x-ms-"))
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => `${name}:${value}`);
  const parameters = [...url.searchParams].sort(([left], [right]) => (left < right ? -1 : 1));
  const resource = [`/acme1${url.pathname}`, ...parameters.map(([name, value]) => `${name}:${value}`)].join("\n");
  const text = [method, ...values, ...conditions, ...canonicalHeaders, resource].join("\n");
  const signature = createHmac("sha256", Buffer.from(key, "base64")).update(text).digest("base64");
  const answer = await fetch(url, {
    method,
    ...(body === undefined ? {} : { body }),
    headers: { ...own, authorization: `SharedKey acme1:${signature}` },
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

const put = (name: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
  signed("PUT", `/data/${name}`, {
    body,
    headers: { "content-type": "text/plain", "x-ms-blob-type": "BlockBlob", ...headers },
  });

const codeOf = ({ headers }: { readonly headers: Headers }): string | null => headers.get("x-ms-error-code");

describe("account keys", () => {
  it("are both taken, for their account and for a quarter of an hour", async () => {
    expect((await put("k", "hello")).status).toBe(201);
    expect(await signed("GET", "/data/k", { key: keys[1]! })).toMatchObject({ status: 200, text: "hello" });
    const late = await signed("GET", "/data/k", { date: clock.now() - 16 * 60_000 });
    expect([late.status, codeOf(late)]).toEqual([403, "AuthenticationFailed"]);
    const wrong = await signed("GET", "/data/k", { key: Buffer.from("guess").toString("base64") });
    expect([wrong.status, codeOf(wrong)]).toEqual([403, "AuthenticationFailed"]);
    await expect(open({ account: "other" }).head("k")).rejects.toMatchObject({ code: "objectstore.unauthenticated" });
  });

  it("sign every header, parameter and byte count that they are to sign", async () => {
    await put("k", "hello");
    const date = new Date(clock.now()).toUTCString();
    const unsigned = await fetch(`${served.url}/acme1/data/k`, {
      headers: { authorization: "SharedKey acme1:AAAA", "x-ms-date": date, "x-ms-version": "2021-12-02" },
    });
    expect(unsigned.status).toBe(403);
    expect(await fetch(`${served.url}/acme1/data/k`).then(({ status }) => status)).toBe(409);
    expect(served.requests.violations).toEqual([]);
  });
});

describe("blobs", () => {
  it("are read in parts, as far as there is something", async () => {
    await put("k", "0123456789");
    const part = await signed("GET", "/data/k", { headers: { range: "bytes=4-100" } });
    expect([part.status, part.text, part.headers.get("content-range")]).toEqual([206, "456789", "bytes 4-9/10"]);
    const own = await signed("GET", "/data/k", { headers: { "x-ms-range": "bytes=8-" } });
    expect(own.text).toBe("89");
    const behind = await signed("GET", "/data/k", { headers: { range: "bytes=10-" } });
    expect([behind.status, codeOf(behind)]).toEqual([416, "InvalidRange"]);
    expect((await signed("GET", "/data/k", { headers: { range: "bytes=-3" } })).text).toBe("0123456789");
  });

  it("are written where the conditions hold", async () => {
    const first = await put("k", "one");
    expect(codeOf(await put("k", "two", { "if-none-match": "*" }))).toBe("BlobAlreadyExists");
    const etag = first.headers.get("etag") ?? "";
    const second = await put("k", "one", { "if-match": etag });
    expect(second.status).toBe(201);
    expect(second.headers.get("etag")).not.toBe(etag);
    expect((await put("k", "three", { "if-match": etag })).status).toBe(412);
    expect(
      (await signed("GET", "/data/k", { headers: { "if-none-match": second.headers.get("etag") ?? "" } })).status,
    ).toBe(304);
  });

  it("are refused without their type, with a wrong sum, a wrong name of metadata, or when too large", async () => {
    const bare = await signed("PUT", "/data/k", { body: "x", headers: { "content-type": "text/plain" } });
    expect([bare.status, codeOf(bare)]).toEqual([400, "MissingRequiredHeader"]);
    expect(codeOf(await put("k", "x", { "content-md5": "AAAAAAAAAAAAAAAAAAAAAA==" }))).toBe("Md5Mismatch");
    expect(codeOf(await put("k", "x", { "x-ms-meta-a-b": "1" }))).toBe("InvalidMetadata");
    await expect(open().put("k", Buffer.alloc(101))).rejects.toMatchObject({ code: "objectstore.too_large" });
    expect(account().containers["data"]).toEqual([]);
  });

  it("list by prefix, page by page, with metadata where it is asked for", async () => {
    for (const name of ["b/2", "a", "b/1", "b/3"]) await put(name, name, { "x-ms-meta-n": name });
    const page = (query: string) => signed("GET", `/data?restype=container&comp=list&prefix=b/${query}`);
    const first = await page("&maxresults=2&include=metadata");
    const marker = /<NextMarker>([^<]+)</.exec(first.text)?.[1] ?? "";
    const namesOf = (text: string) => [...text.matchAll(/<Name>([^<]+)</g)].map(([, name]) => name);
    expect(namesOf(first.text)).toEqual(["b/1", "b/2"]);
    expect(first.text).toContain("<Metadata><n>b/1</n></Metadata>");
    const last = await page(`&marker=${marker}`);
    expect([namesOf(last.text), last.text.includes("<NextMarker></NextMarker>")]).toEqual([["b/3"], true]);
  });
});

describe("containers", () => {
  it("are created once under names that are allowed, and deleted with their blobs", async () => {
    const ask = (method: string, name: string) => signed(method, `/${name}?restype=container`);
    expect((await ask("PUT", "more")).status).toBe(201);
    expect(codeOf(await ask("PUT", "more"))).toBe("ContainerAlreadyExists");
    expect(codeOf(await ask("PUT", "Not--Allowed"))).toBe("InvalidResourceName");
    expect((await ask("HEAD", "more")).status).toBe(200);
    expect((await ask("DELETE", "more")).status).toBe(202);
    expect(codeOf(await ask("GET", "more"))).toBe("ContainerNotFound");
  });
});

describe("shared access signatures", () => {
  it("permit what they say, as long as they say, to whoever has them", async () => {
    const store = open();
    await store.put("k", Buffer.from("hello"));
    const { url } = await store.signGet("k", { expiresInSeconds: 60 });
    expect(await (await fetch(url)).text()).toBe("hello");
    const refused = await fetch(url, { method: "DELETE" });
    expect([refused.status, codeOf(refused)]).toEqual([403, "AuthorizationPermissionMismatch"]);
    await clock.advance(60_000);
    expect(codeOf(await fetch(url))).toBe("AuthenticationFailed");
    // Whoever reads the log cannot fetch what a signed URL gives access to.
    expect(JSON.stringify(served.requests.log)).not.toContain("sig=");
  });

  it("that create do not overwrite", async () => {
    const { url } = await open().signPut!("k", { expiresInSeconds: 60 });
    const upload = (body: string) => fetch(url, { method: "PUT", body, headers: { "x-ms-blob-type": "BlockBlob" } });
    expect((await upload("one")).status).toBe(201);
    const again = await upload("two");
    expect([again.status, codeOf(again)]).toEqual([403, "UnauthorizedBlobOverwrite"]);
  });

  it("are made for simulators that hand out addresses of their own", async () => {
    await put("a b/c", "log");
    const of = { serviceUrl: served.url, account: account(), container: "data", blob: "a b/c" };
    const url = signedBlobUrl({ ...of, expiresAt: clock.now() + 1000 });
    expect(await (await fetch(url, { headers: { range: "bytes=1-" } })).text()).toBe("og");
    await clock.advance(1000);
    expect((await fetch(url)).status).toBe(403);
  });

  it("for HTTPS alone are not taken over HTTP", async () => {
    const { url } = await open({ endpoint: "https://acme1.example/acme1" }).signGet("k", { expiresInSeconds: 60 });
    const { pathname, search } = new URL(url);
    expect(codeOf(await fetch(`${served.url}${pathname}${search}`))).toBe("AuthorizationProtocolMismatch");
  });
});

it.each([
  ["an operation", "PUT", "/data/k?comp=block&blockid=AAAA", "InvalidQueryParameterValue", {}],
  ["a kind of operation", "GET", "/data/k?comp=blocklist", "NotImplemented", {}],
  ["a parameter", "GET", "/data/k?snapshot=2030-01-01", "InvalidQueryParameterValue", {}],
  ["a header", "GET", "/data/k", "UnsupportedHeader", { "x-ms-lease-id": "1" }],
  ["a part of a list", "GET", "/data?restype=container&comp=list&include=versions", "InvalidQueryParameterValue", {}],
  ["a version", "GET", "/data/k", "InvalidHeaderValue", { "x-ms-version": "latest" }],
])("refuses %s that it does not know, and records it", async (_name, method, path, code, headers) => {
  const answer = await signed(method, path, { headers });
  expect(codeOf(answer)).toBe(code);
  expect(served.requests.violations).toHaveLength(1);
});

it("fails as planned", async () => {
  served.faults.add({
    method: "PUT",
    path: "acme1/data/k",
    times: 3,
    action: { kind: "status", status: 503, code: "ServerBusy" },
  });
  await expect(open().put("k", Buffer.from("x"))).rejects.toMatchObject({ code: "objectstore.throttled" });
  await open().put("k", Buffer.from("x"));
});
