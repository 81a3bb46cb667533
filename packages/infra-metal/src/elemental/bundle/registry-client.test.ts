import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { httpRequests, type Requests } from "../http/requests.ts";
import { imageReference } from "./image-reference.ts";
import { registrySource } from "./registry-client.ts";

let respond: RequestListener;
let asked: { readonly url: string; readonly headers: IncomingHttpHeaders }[];
const registry = createServer((request, response) => {
  const { headers, url = "" } = request;
  asked.push({ url, headers });
  respond(request, response);
});
let requests: Requests;
let port: number;
beforeAll(async () => {
  await new Promise<void>((resolve) => void registry.listen(0, "127.0.0.1", resolve));
  ({ port } = registry.address() as AddressInfo);
});
afterAll(() => new Promise((resolve) => registry.close(resolve)));
beforeEach(() => {
  asked = [];
  requests = httpRequests();
});
afterEach(() => requests.close());

const host = () => `127.0.0.1:${port}`;
const manifest = "/v2/bundle/manifests/1.0";

/** The text of the manifest. */
const read = async (): Promise<string> => {
  const { signal } = new AbortController();
  const bytes = await registrySource(imageReference(`${host()}/bundle:1.0`), { requests, signal }).document("1.0");
  return Buffer.from(bytes ?? []).toString("utf8");
};

/** A registry that wants a token, which everybody gets in an answer of that text. */
const givingToken =
  (token: string): RequestListener =>
  ({ headers, url = "" }, response) => {
    if (url.startsWith("/token?")) return response.end(token);
    if (headers.authorization === "Bearer everybody") return response.end("{}");
    return response
      .writeHead(401, { "www-authenticate": `Bearer realm="http://${host()}/token",service="r",scope="pull"` })
      .end();
  };

/** A registry that keeps the manifest behind redirects. */
const redirecting =
  (places: Readonly<Record<string, string>>): RequestListener =>
  ({ url = "" }, response) => {
    const location = places[url];
    return location === undefined ? response.end("{}") : response.writeHead(307, { location }).end();
  };

it.each(['{"token":"everybody"}', '{"access_token":"everybody"}'])("reads with the token of %s", async (text) => {
  respond = givingToken(text);
  expect(await read()).toBe("{}");
  expect(asked.map(({ url }) => url)).toEqual([manifest, "/token?service=r&scope=pull", manifest]);
});

it.each(["<html>", "null", "{}", '{"token":5}'])("names the registry that gives no token but %s", async (text) => {
  respond = givingToken(text);
  await expect(read()).rejects.toMatchObject({
    code: "elemental.bundle_download_failed",
    message: `the registry ${host()} gives no token; make the bundle public`,
  });
});

it("follows where the registry sends on to, also more than once", async () => {
  respond = redirecting({ [manifest]: "/elsewhere", "/elsewhere": `http://${host()}/at/last` });
  expect(await read()).toBe("{}");
  expect(asked.map(({ url }) => url)).toEqual([manifest, "/elsewhere", "/at/last"]);
});

it("gives its token to the registry alone", async () => {
  const withToken = givingToken('{"token":"everybody"}');
  const elsewhere = `http://localhost:${port}/store`;
  respond = (request, response) => {
    const { headers, url = "" } = request;
    if (url === "/store") return response.end("{}");
    if (headers.authorization === undefined) return withToken(request, response);
    return response.writeHead(302, { location: url === manifest ? "/moved" : elsewhere }).end();
  };
  expect(await read()).toBe("{}");
  expect(asked.slice(2).map(({ url, headers }) => [url, headers.authorization])).toEqual([
    [manifest, "Bearer everybody"],
    ["/moved", "Bearer everybody"],
    ["/store", undefined],
  ]);
});

it("names what the registry sends on to no URL", async () => {
  respond = redirecting({ [manifest]: "https://:0:0" });
  await expect(read()).rejects.toMatchObject({
    code: "elemental.bundle_download_failed",
    message: `the registry sends GET http://${host()}${manifest} on to what is no URL`,
  });
});

it("names what the registry sends on for ever", async () => {
  respond = redirecting({ [manifest]: manifest });
  await expect(read()).rejects.toMatchObject({
    code: "elemental.bundle_download_failed",
    message: `the registry sends GET http://${host()}${manifest} on more than 5 times`,
  });
  expect(asked).toHaveLength(6);
});
