import { isCapstanError } from "@capstan/contract";
import { azureBlobObjectStores, type AzureBlobObjectStoreOptions } from "@capstan/object-store-azure-blob";
import { fakeClock } from "@capstan/testing";
import { describe, expect, it } from "vitest";
import { serverThat } from "./subject.ts";

const accountKey = Buffer.from("a very secret key").toString("base64");
const open = (endpoint: string, options: Partial<AzureBlobObjectStoreOptions> = {}) =>
  azureBlobObjectStores({ clock: fakeClock(), maxAttempts: 1, ...options }).open({
    container: "data",
    account: "acme1",
    endpoint,
    accountKey,
  });
const bytes = Buffer.from("abc");

describe("failures", () => {
  it.each([
    [403, "AuthenticationFailed", "objectstore.unauthenticated"],
    [403, "AuthorizationPermissionMismatch", "objectstore.forbidden"],
    [403, "AuthorizationFailure", "objectstore.forbidden"],
    [404, "ContainerNotFound", "objectstore.bucket_not_found"],
    [409, "BlobAlreadyExists", "objectstore.conflict"],
    [412, "ConditionNotMet", "objectstore.conflict"],
    [413, "RequestBodyTooLarge", "objectstore.too_large"],
    [503, "ServerBusy", "objectstore.throttled"],
    [500, "InternalError", "objectstore.unavailable"],
    [500, "OperationTimedOut", "objectstore.timeout"],
  ])("%s %s is %s", async (status, code, expected) => {
    const endpoint = await serverThat((_request, response) =>
      response.writeHead(status, { "x-ms-error-code": code }).end(),
    );
    await expect(open(endpoint).put("k", bytes)).rejects.toMatchObject({ code: expected, details: { status } });
  });

  it.each([
    ["put", 200],
    ["head", 200],
    ["get", 200],
    ["delete", 200],
    ["delete", 404],
    ["list", 200],
    ["put", 403],
    ["head", 403],
    ["get", 403],
    ["delete", 403],
    ["list", 403],
    ["put", 407],
    ["head", 407],
    ["list", 401],
    ["get", 302],
  ] as const)("a web page in place of the answer to %s is no answer, though with status %i", async (name, status) => {
    const endpoint = await serverThat((_request, response) => {
      response.removeHeader("x-ms-request-id");
      response.writeHead(status, { "content-type": "text/html; charset=utf-8" }).end("<html>Please log in</html>");
    });
    const store = open(endpoint);
    const call = {
      put: () => store.put("k", bytes),
      head: () => store.head("k"),
      get: () => store.get!("k", { maxBytes: 1000 }),
      delete: () => store.delete("k"),
      list: () => store.list!("k"),
    }[name];
    await expect(call()).rejects.toMatchObject({
      code: "objectstore.unavailable",
      message: expect.stringContaining("ForeignAnswer") as string,
    });
  });

  it.each([
    [413, "too_large"],
    [429, "throttled"],
    [502, "unavailable"],
  ])("status %i of anybody is %s", async (status, expected) => {
    const endpoint = await serverThat((_request, response) => {
      response.removeHeader("x-ms-request-id");
      response.writeHead(status).end();
    });
    const put = open(endpoint).put("k", bytes);
    await expect(put).rejects.toMatchObject({ code: `objectstore.${expected}`, details: { status } });
  });

  it("waits as long as the store asks", async () => {
    const endpoint = await serverThat((_request, response) =>
      response.writeHead(503, { "x-ms-error-code": "ServerBusy", "retry-after": "7" }).end(),
    );
    await expect(open(endpoint).put("k", bytes)).rejects.toMatchObject({ retry: { kind: "after", ms: 7000 } });
  });

  it("never says a key or a signed URL", async () => {
    const endpoint = await serverThat((_request, response) =>
      response.writeHead(403, { "x-ms-error-code": "AuthenticationFailed" }).end(),
    );
    const store = open(endpoint);
    const { url } = await store.signGet("k", { expiresInSeconds: 60 });
    const error = await store.put("k", bytes).catch((caught: unknown) => caught);
    expect(isCapstanError(error)).toBe(true);
    const said = JSON.stringify([error, (error as Error).message, (error as Error).cause]);
    expect(said).not.toContain(accountKey);
    expect(said).not.toContain(new URL(url).searchParams.get("sig"));
  });
});

it("is for HTTPS alone where the store is", async () => {
  const { url, expiresAt } = await open("https://acme1.blob.core.windows.net").signGet("a b", { expiresInSeconds: 60 });
  const { host, pathname, searchParams } = new URL(url);
  expect([host, pathname]).toEqual(["acme1.blob.core.windows.net", "/data/a%20b"]);
  expect(Object.fromEntries(searchParams)).toMatchObject({ spr: "https", sp: "r", sr: "b" });
  expect(Date.parse(searchParams.get("se") ?? "")).toBe(expiresAt);
});

/** Where an answer begins as given and does not end, and how much of it was taken. */
const endless = async (
  type: string,
  start: string,
): Promise<{ readonly endpoint: string; readonly sent: () => number }> => {
  const part = "k".repeat(2 ** 16);
  let sent = 0;
  const endpoint = await serverThat((_request, response) => {
    response.writeHead(200, { "content-type": type });
    response.write(start);
    const more = (): void => {
      while (!response.destroyed && response.write(part)) sent += part.length;
      if (!response.destroyed) response.once("drain", more);
    };
    more();
  });
  return { endpoint, sent: () => sent };
};

it("reads no list and no blob that does not end", async () => {
  const failed = { code: expect.stringContaining("objectstore.") as string };
  const list = await endless("application/xml", "<EnumerationResults><Blobs><Blob><Name>");
  await expect(open(list.endpoint).list!("prefix")).rejects.toMatchObject(failed);
  const blob = await endless("application/octet-stream", "");
  await expect(open(blob.endpoint).get!("k", { maxBytes: 1000 })).rejects.toMatchObject(failed);
  expect(Math.max(list.sent(), blob.sent())).toBeLessThan(64 * 1024 ** 2);
});

it("asks for short pages, and reads none that would take long to parse", async () => {
  const blob = "<Blob><Name>k</Name></Blob>";
  const asked: (string | null)[] = [];
  let count = 0;
  const endpoint = await serverThat(({ url = "" }, response) => {
    asked.push(new URL(url, "http://localhost").searchParams.get("maxresults"));
    response.writeHead(200, { "content-type": "application/xml" });
    response.end(`<EnumerationResults><Blobs>${blob.repeat(count)}</Blobs></EnumerationResults>`);
  });
  const listed = (characters: number) => {
    count = Math.floor(characters / blob.length);
    return open(endpoint).list!("prefix");
  };
  expect((await listed(2 ** 14)).keys).toHaveLength(Math.floor(2 ** 14 / blob.length));
  await expect(listed(2 ** 17)).rejects.toMatchObject({ code: "objectstore.unavailable" });
  expect(asked).toEqual(["25", "25"]);
});
