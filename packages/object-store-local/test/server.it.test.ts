import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect } from "node:net";
import { join } from "node:path";
import { silentLogger } from "@capstan/contract";
import { localObjectStores, type LocalObjectStoreOptions } from "@capstan/object-store-local";
import { createCertificateAuthority, issueCertificate } from "@capstan/pki";
import { fakeClock } from "@capstan/testing";
import { afterEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "./folders.ts";

const bytes = Buffer.from("#cloud-config\n");
const minute = { expiresInSeconds: 60 };

const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of closing.splice(0).toReversed()) await each[Symbol.asyncDispose]();
});

const start = async (options: Partial<LocalObjectStoreOptions> = {}) => {
  const clock = fakeClock();
  const folder = options.folder ?? (await newFolder());
  const stores = localObjectStores({ clock, log: silentLogger, folder, ...options });
  await stores.server.start();
  closing.push({ [Symbol.asyncDispose]: () => stores.server.stop() });
  return { clock, folder, stores, store: stores.open({}), url: stores.server.url };
};

const newFolder = async (): Promise<string> => {
  const folder = await temporaryFolder();
  closing.push(folder);
  return folder.path;
};

/** A request whose path goes out as it is written here. */
const raw = async (url: string, path: string, options: { readonly method?: string; readonly body?: Buffer } = {}) => {
  const { hostname, port } = new URL(url);
  const sent = httpRequest({ hostname, port, path, method: options.method ?? "GET" });
  sent.end(options.body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  const body = Buffer.concat(await answer.toArray()).toString();
  return { status: answer.statusCode, headers: answer.headers, body };
};

const pathOf = (url: string): string => url.slice(new URL(url).origin.length);

describe("the server", () => {
  it("answers alike what is not signed, signed for something else, expired, or not there at all", async () => {
    const { clock, store, url } = await start();
    await store.put("k", bytes);
    const signed = pathOf((await store.signGet("k", minute)).url);
    const upload = pathOf((await store.signPut!("k", minute)).url);
    const absent = pathOf((await store.signGet("absent", minute)).url);
    expect(await raw(url, absent)).toMatchObject({ status: 404 });
    const refusal = { status: 403, body: "forbidden\n" };
    const isRefused = async (path: string): Promise<void> => expect(await raw(url, path)).toMatchObject(refusal);
    await isRefused("/o/bootstrap-data/k");
    await isRefused("/o/bootstrap-data/absent");
    await isRefused("/o/no-such-bucket/k");
    await isRefused(signed.replace(/s=\w+/, `s=${"0".repeat(64)}`));
    await isRefused(signed.replace(/s=\w+/, "s=short"));
    await isRefused(signed.replace(/e=\d+/, "e=99999999999"));
    await isRefused(signed.replace("bootstrap-data", "another-bucket"));
    await isRefused(upload);
    expect(await raw(url, signed, { method: "PUT", body: bytes })).toMatchObject(refusal);
    expect(await raw(url, signed)).toMatchObject({ status: 200 });
    await clock.advance(59_000);
    expect(await raw(url, signed)).toMatchObject({ status: 200 });
    await clock.advance(1000);
    await isRefused(signed);
    await isRefused(absent);
  });

  it("says length, type and ETag, and keeps caches away; HEAD is a GET without a body", async () => {
    const { store, url } = await start();
    const { etag } = await store.put("k", bytes, { contentType: "text/cloud-config" });
    const path = pathOf((await store.signGet("k", minute)).url);
    const headers = {
      "content-length": String(bytes.length),
      "content-type": "text/cloud-config",
      "cache-control": "no-store",
      etag,
    };
    expect(await raw(url, path)).toMatchObject({ status: 200, headers, body: bytes.toString() });
    expect(await raw(url, path, { method: "HEAD" })).toMatchObject({ status: 200, headers, body: "" });
  });

  it.each([
    "/o/bootstrap-data/../signing-key",
    "/o/bootstrap-data/..%2Fsigning-key",
    "/o/bootstrap-data/%2e%2e/signing-key",
    "/o/../signing-key",
    "/o/..%2f/signing-key",
    "/o/bootstrap-data/a%00b",
    "/o/bootstrap-data/%ff",
    "/o//etc/passwd",
    "/o/bootstrap-data/",
    "/o/bootstrap-data/k?e=1&s=2?e=3",
    "/signing-key",
    "/",
    "http://elsewhere/o/bootstrap-data/k",
  ])("takes %s for no path of an object", async (path) => {
    const { url } = await start();
    expect(await raw(url, path)).toMatchObject({ status: 400, body: "malformed request\n" });
  });

  it.each(["POST", "DELETE", "PATCH", "OPTIONS"])("refuses %s", async (method) => {
    const { store, url } = await start();
    await store.put("k", bytes);
    const path = pathOf((await store.signGet("k", minute)).url);
    expect(await raw(url, path, { method })).toMatchObject({ status: 405, headers: { allow: "GET, HEAD, PUT" } });
    expect(await store.head("k")).not.toBeNull();
  });

  it("takes an upload once, and nothing that is empty or too large", async () => {
    const { store, url } = await start({ maxObjectBytes: 10 });
    const { url: signed, headers } = await store.signPut!("report", minute);
    expect(headers).toEqual({});
    const put = async (body: Buffer) => (await raw(url, pathOf(signed), { method: "PUT", body })).status;
    expect(await put(Buffer.alloc(0))).toBe(400);
    expect(await put(Buffer.alloc(11))).toBe(413);
    expect(await store.head("report")).toBeNull();
    expect(await put(Buffer.from("first"))).toBe(201);
    expect(await put(Buffer.from("second"))).toBe(412);
    expect(Buffer.from((await store.get!("report", { maxBytes: 10 }))!).toString()).toBe("first");
  });

  it("takes one of many uploads at once", async () => {
    const { folder, store } = await start();
    const { url } = await store.signPut!("report", minute);
    const bodies = Array.from({ length: 8 }, (_, index) => `report ${index}`);
    const statuses = await Promise.all(bodies.map(async (body) => (await fetch(url, { method: "PUT", body })).status));
    expect(statuses.toSorted((left, right) => left - right)).toEqual([201, ...Array<number>(7).fill(412)]);
    expect(await readdir(join(folder, "buckets", "bootstrap-data"))).toHaveLength(1);
  });

  it("refuses an upload whose length is not said and that grows too large", async () => {
    const { store } = await start({ maxObjectBytes: 1000 });
    const { url } = await store.signPut!("report", minute);
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new Uint8Array(600));
        controller.enqueue(new Uint8Array(600));
        controller.close();
      },
    });
    const answer = await fetch(url, { method: "PUT", body, duplex: "half" });
    expect(answer.status).toBe(413);
    expect(await store.head("report")).toBeNull();
  });

  it("leaves nothing of an upload that broke off", async () => {
    const { folder, store, url } = await start();
    const path = pathOf((await store.signPut!("report", minute)).url);
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.write(`PUT ${path} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: 100\r\n\r\nonly this`, () => {
      socket.destroy();
    });
    await once(socket, "close");
    await expect.poll(() => store.head("report")).toBeNull();
    expect(await readdir(join(folder, "buckets", "bootstrap-data"))).toEqual([]);
  });

  it("is used over restarts: URLs that were signed before stay valid", async () => {
    const folder = await newFolder();
    const first = await start({ folder });
    await first.store.put("k", bytes);
    const { url } = await first.store.signGet("k", minute);
    await first.stores.server.stop();
    const listen = { host: "127.0.0.1", port: Number(new URL(url).port) };
    await start({ folder, listen });
    expect(await (await fetch(url)).text()).toBe(bytes.toString());
  });

  it("keeps everything for its owner alone", async () => {
    const { folder, store } = await start();
    await store.put("k", bytes);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const modes = await Promise.all(
      entries.map(async (entry) => {
        const { mode } = await stat(join(entry.parentPath, entry.name));
        return `${entry.isDirectory() ? "folder" : "file"} ${(mode & 0o777).toString(8)}`;
      }),
    );
    expect([...new Set(modes)].toSorted()).toEqual(["file 600", "folder 700"]);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it("speaks HTTPS with the certificate it is given", async () => {
    const now = Date.now();
    const authority = await createCertificateAuthority({ now, commonName: "test", algorithm: "ECDSA-P256" });
    const certificate = await issueCertificate(authority, {
      now,
      commonName: "127.0.0.1",
      hosts: ["127.0.0.1"],
      usages: ["server"],
      algorithm: "ECDSA-P256",
    });
    const { store, url } = await start({ tls: certificate });
    expect(url).toMatch(/^https:/);
    await store.put("k", bytes);
    const signed = await store.signGet("k", minute);
    expect(signed.url.startsWith(`${url}/o/`)).toBe(true);
    const sent = httpsRequest(signed.url, { ca: authority.certificate }).end();
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    expect(Buffer.concat(await answer.toArray()).toString()).toBe(bytes.toString());
  });

  it("names the address that it cannot listen at", async () => {
    const { url } = await start();
    const port = Number(new URL(url).port);
    await expect(start({ listen: { host: "127.0.0.1", port } })).rejects.toMatchObject({
      code: "objectstore.cannot_listen",
      message: expect.stringContaining(`127.0.0.1:${port}`) as string,
    });
  });

  it("signs URLs with the address that machines know it by", async () => {
    const { store, stores } = await start({ address: "https://store.example:8443/" });
    await store.put("k", bytes);
    const { url } = await store.signGet("k", minute);
    expect(url).toMatch(/^https:\/\/store\.example:8443\/o\/bootstrap-data\/k\?e=\d+&s=[0-9a-f]{64}$/);
    expect(stores.server.description).toContain("https://store.example:8443");
  });

  it("shows neither key nor URL in what it logs and in its errors", async () => {
    const { folder, store } = await start();
    const signingKey = (await readFile(join(folder, "signing-key"), "utf8")).trim();
    const { url } = await store.signGet("k", minute);
    const signature = new URL(url).searchParams.get("s") ?? "";
    const error = await store.put("k", new Uint8Array()).catch((caught: unknown) => caught);
    const shown = `${(error as Error).message} ${JSON.stringify(error)}`;
    expect(shown).toContain("there is nothing to store");
    expect(shown).not.toContain(signingKey);
    expect(shown).not.toContain(signature);
  });
});
