import { describe, expect, it } from "vitest";
import { isCapstanError } from "@capstan/contract";
import { s3ObjectStores } from "@capstan/object-store-s3";
import type { S3ObjectStoreOptions } from "@capstan/object-store-s3";
import { fakeClock } from "@capstan/testing";
import { scriptedServer } from "./servers.ts";

const secret = "very-secret-key";
const open = (endpoint: string, options: Partial<S3ObjectStoreOptions> = {}) =>
  s3ObjectStores({ clock: fakeClock(), maxAttempts: 1, ...options }).open({
    bucket: "data",
    endpoint,
    access: "AK",
    secret,
  });
const bytes = Buffer.from("abc");

const xml = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>told</Message></Error>`;

describe("failures", () => {
  it.each([
    [403, "AccessDenied", "objectstore.forbidden"],
    [403, "SignatureDoesNotMatch", "objectstore.unauthenticated"],
    [404, "NoSuchBucket", "objectstore.bucket_not_found"],
    [412, "PreconditionFailed", "objectstore.conflict"],
    [503, "SlowDown", "objectstore.throttled"],
    [500, "InternalError", "objectstore.unavailable"],
  ])("%s %s is %s", async (status, code, expected) => {
    await using server = await scriptedServer((_request, response) => response.writeHead(status).end(xml(code)));
    await expect(open(server.url).put("k", bytes)).rejects.toMatchObject({ code: expected, details: { status } });
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
  ] as const)(
    "a web page in place of the answer to %s is not an answer, though with status %i",
    async (operation, status) => {
      await using server = await scriptedServer((_request, response) =>
        response.writeHead(status, { "content-type": "text/html; charset=utf-8" }).end("<html>Please log in</html>"),
      );
      const store = open(server.url);
      const call = {
        put: () => store.put("k", bytes),
        head: () => store.head("k"),
        get: () => store.get!("k", { maxBytes: 1000 }),
        delete: () => store.delete("k"),
        list: () => store.list!("k"),
      }[operation];
      await expect(call()).rejects.toMatchObject({
        code: "objectstore.unavailable",
        message: expect.stringContaining("the store answered ForeignAnswer") as string,
      });
    },
  );

  it.each([
    ["in XML", 403, { "content-type": "application/xml" }, "forbidden"],
    ["in HTML, with the request's name", 403, { "content-type": "text/html", "x-amz-request-id": "tx1" }, "forbidden"],
    ["of no bytes", 403, { "content-type": "text/html", "content-length": "0" }, "forbidden"],
    ["of anybody for its size", 413, { "content-type": "text/html" }, "too_large"],
    ["of anybody for its haste", 429, { "content-type": "text/html" }, "throttled"],
  ])("a refusal %s is one", async (_what, status, headers, expected) => {
    await using server = await scriptedServer((_request, response) => response.writeHead(status, headers).end());
    await expect(open(server.url).head("k")).rejects.toMatchObject({ code: `objectstore.${expected}` });
  });

  it("an object that is a web page is an object", async () => {
    await using server = await scriptedServer((_request, response) =>
      response.writeHead(200, { "content-type": "text/html", etag: '"e"' }).end("<html></html>"),
    );
    const read = await open(server.url).get!("k", { maxBytes: 1000 });
    expect(Buffer.from(read ?? []).toString()).toBe("<html></html>");
  });

  it("a HEAD that is denied is not a missing object, and DELETE is still possible", async () => {
    await using server = await scriptedServer((request, response) =>
      response.writeHead(request.method === "HEAD" ? 403 : 204).end(),
    );
    const store = open(server.url);
    await expect(store.head("k")).rejects.toMatchObject({ code: "objectstore.forbidden" });
    expect(await store.delete("k")).toEqual({ existed: "unknown" });
  });

  it("a bare 404 of DELETE is success", async () => {
    await using server = await scriptedServer((_request, response) => response.writeHead(404).end());
    expect(await open(server.url).delete("k")).toEqual({ existed: false });
  });

  it("is tried again when the store is unavailable for a moment", async () => {
    await using server = await scriptedServer((_request, response, count) =>
      response.writeHead(count === 1 ? 503 : 200).end(count === 1 ? xml("ServiceUnavailable") : ""),
    );
    expect(await open(server.url, { maxAttempts: 2 }).put("k", bytes)).toMatchObject({ size: 3 });
    expect(server.requests).toHaveLength(2);
  });

  it("a store that is down is unavailable", async () => {
    await expect(open("http://127.0.0.1:1").put("k", bytes)).rejects.toMatchObject({ code: "objectstore.unavailable" });
  });

  it("a store that hangs is a timeout", async () => {
    await using server = await scriptedServer(() => undefined);
    const store = open(server.url, { requestTimeoutMs: 50 });
    await expect(store.put("k", bytes)).rejects.toMatchObject({ code: "objectstore.timeout" });
  });

  it("stops when cancelled", async () => {
    const controller = new AbortController();
    const reason = new Error("stop");
    await using server = await scriptedServer(() => controller.abort(reason));
    const put = open(server.url).put("k", bytes, { signal: controller.signal });
    await expect(put).rejects.toMatchObject({ code: "objectstore.cancelled", cause: reason });
  });

  it.each([0, -1, 604_801, 1.5, Number.NaN])("refuses to sign for %s seconds", async (expiresInSeconds) => {
    const sign = open("https://s3.example").signGet("k", { expiresInSeconds });
    await expect(sign).rejects.toMatchObject({ code: "objectstore.invalid_argument", retry: { kind: "never" } });
  });

  it.each([
    ["no bytes", "k", new Uint8Array()],
    ["no key", "", bytes],
    ["a key of more than 1024 bytes", "ä".repeat(513), bytes],
  ])("refuses %s", async (_name, key, data) => {
    await expect(open("https://s3.example").put(key, data)).rejects.toMatchObject({
      code: "objectstore.invalid_argument",
    });
  });

  it("never says the secret or a signed URL", async () => {
    await using server = await scriptedServer((_request, response) =>
      response.writeHead(403).end(xml("SignatureDoesNotMatch")),
    );
    const store = open(server.url);
    const { url } = await store.signGet("k", { expiresInSeconds: 60 });
    const error = await store.put("k", bytes).catch((caught: unknown) => caught);
    expect(isCapstanError(error)).toBe(true);
    const said = JSON.stringify([error, (error as Error).message, (error as Error).cause]);
    expect(said).not.toContain(secret);
    expect(said).not.toContain(new URL(url).searchParams.get("X-Amz-Signature"));
  });
});

describe("lists", () => {
  it("are read page after page", async () => {
    await using server = await scriptedServer((request, response) => {
      const more = !(request.url ?? "").includes("continuation-token=");
      const next = more ? "<NextContinuationToken>t/1</NextContinuationToken>" : "";
      response.end(
        `<ListBucketResult><IsTruncated>${more}</IsTruncated><Contents><Key>k</Key></Contents>${next}</ListBucketResult>`,
      );
    });
    const store = open(server.url);
    expect(await store.list!("p/")).toEqual({ keys: ["k"], next: "t/1" });
    expect(await store.list!("p/", { token: "t/1" })).toEqual({ keys: ["k"] });
    const queries = server.requests.map(({ url }) => new URLSearchParams(url?.split("?")[1]));
    expect(queries.map((query) => [query.get("prefix"), query.get("continuation-token")])).toEqual([
      ["p/", null],
      ["p/", "t/1"],
    ]);
  });
});

describe("a bucket that keeps versions", () => {
  const version = (kind: string, key: string, id: string) =>
    `<${kind}><Key>${key}</Key><VersionId>${id}</VersionId></${kind}>`;
  const listing = (entries: string, next = "") =>
    `<ListVersionsResult><IsTruncated>${next !== ""}</IsTruncated>${entries}${next}</ListVersionsResult>`;

  /** Answers lists with these, one after the other, and DELETEs as such a bucket does. */
  const versioned = (lists: readonly (string | number)[]) => {
    const left = [...lists];
    return scriptedServer(({ method }, response) => {
      if (method === "DELETE") return response.writeHead(204, { "x-amz-version-id": "m1" }).end();
      const answer = left.shift() ?? 500;
      return typeof answer === "number"
        ? response.writeHead(answer).end(xml(answer === 403 ? "AccessDenied" : "InternalError"))
        : response.end(answer);
    });
  };

  const sent = ({ requests }: Awaited<ReturnType<typeof versioned>>) =>
    requests.map(({ method, url }) => {
      const { pathname, searchParams } = new URL(url ?? "", "http://x");
      return [method, pathname, searchParams.get("versionId") ?? searchParams.get("version-id-marker")];
    });

  it("loses every version of what is deleted, and no other object", async () => {
    const next = "<NextKeyMarker>k</NextKeyMarker><NextVersionIdMarker>v2</NextVersionIdMarker>";
    await using server = await versioned([
      listing(version("Version", "k", "v2") + version("DeleteMarker", "k", "m1"), next),
      listing(version("Version", "k", "null") + version("Version", "k2", "other")),
    ]);
    expect(await open(server.url).delete("k")).toEqual({ existed: "unknown" });
    expect(sent(server)).toEqual([
      ["DELETE", "/data/k", null],
      ["GET", "/data/", null],
      ["DELETE", "/data/k", "v2"],
      ["DELETE", "/data/k", "m1"],
      ["GET", "/data/", "v2"],
      ["DELETE", "/data/k", "null"],
    ]);
  });

  it("keeps them where the key may not list them, and says when it cannot be known", async () => {
    await using denied = await versioned([403]);
    expect(await open(denied.url).delete("k")).toEqual({ existed: "unknown" });
    expect(sent(denied)).toHaveLength(2);
    await using broken = await versioned([500]);
    await expect(open(broken.url).delete("k")).rejects.toMatchObject({ code: "objectstore.unavailable" });
  });
});

describe("requests", () => {
  it("hold nothing that older stores refuse", async () => {
    await using server = await scriptedServer((_request, response) => response.writeHead(200).end());
    const store = open(server.url);
    await store.put("k", bytes, { ifNoneMatch: "*", metadata: { "capstan-machine-uid": "u" } });
    const [request] = server.requests;
    expect(request?.url?.split("?")[0]).toBe("/data/k");
    expect(request?.headers).toMatchObject({ "if-none-match": "*", "x-amz-meta-capstan-machine-uid": "u" });
    expect(Object.keys(request?.headers ?? {}).filter((name) => name.includes("checksum"))).toEqual([]);
    const { url } = await store.signGet("k", { expiresInSeconds: 900 });
    const names = [...new URL(url).searchParams.keys()].sort();
    expect(names).toEqual([
      "X-Amz-Algorithm",
      "X-Amz-Content-Sha256",
      "X-Amz-Credential",
      "X-Amz-Date",
      "X-Amz-Expires",
      "X-Amz-Signature",
      "X-Amz-SignedHeaders",
      "x-id",
    ]);
  });

  it("put the bucket in front of the host", async () => {
    const { url } = await open("https://us-ord-1.linodeobjects.com").signGet("k", { expiresInSeconds: 900 });
    expect(new URL(url).host).toBe("data.us-ord-1.linodeobjects.com");
  });
});

it("reads no list that does not end", async () => {
  const part = `<Contents><Key>${"k".repeat(2 ** 16)}</Key></Contents>`;
  await using server = await scriptedServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/xml" });
    response.write("<ListBucketResult>");
    const more = (): void => {
      while (!response.destroyed && response.write(part));
      if (!response.destroyed) response.once("drain", more);
    };
    more();
  });
  await expect(open(server.url).list!("prefix")).rejects.toMatchObject({
    code: expect.stringContaining("objectstore.") as string,
  });
});

it("asks for short pages, and reads none that would take long to parse", async () => {
  const object = "<Contents><Key>k</Key></Contents>";
  let body = "";
  await using server = await scriptedServer((_request, response) =>
    response.writeHead(200, { "content-type": "application/xml" }).end(body),
  );
  const listed = (characters: number) => {
    body = `<ListBucketResult>${object.repeat(characters / object.length)}</ListBucketResult>`;
    return open(server.url).list!("prefix");
  };
  expect((await listed(2 ** 16)).keys).toHaveLength(Math.floor(2 ** 16 / object.length));
  await expect(listed(2 ** 18)).rejects.toMatchObject({ code: "objectstore.unavailable" });
  for (const { url = "" } of server.requests) {
    expect(Number(new URL(url, server.url).searchParams.get("max-keys"))).toBe(50);
  }
});

it("reads an object that is longer than a list", async () => {
  await using server = await scriptedServer((_request, response) =>
    response.writeHead(200, { etag: '"e"' }).end("x".repeat(2 ** 20)),
  );
  expect(await open(server.url).get!("k", { maxBytes: 2 ** 21 })).toHaveLength(2 ** 20);
});
