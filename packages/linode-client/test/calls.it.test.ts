import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { createLinodeClient, filter, hasStatus, isNotFound, LinodeError } from "../src/index.ts";
import type { DebugEntry } from "../src/index.ts";
import { scriptedServer } from "./scripted-server.ts";
import { virtualSystem } from "./virtual-system.ts";

const page = (data: readonly unknown[], number = 1, pages = 1) => ({
  body: { data, page: number, pages, results: data.length },
});

describe("requests", () => {
  it("sends token, names, version, body and escaped path", async () => {
    await using server = await scriptedServer([{ body: { id: "private/1" } }, { body: { id: 5 } }]);
    const client = createLinodeClient({ url: `${server.url}/v4beta`, token: "secret", userAgent: "Test/1" });
    await client.images.get("private/1");
    await client.instances.create({ region: "us-ord", type: "g6-standard-2", tags: ["a"] });
    expect(server.received.map(({ method, url, body }) => ({ method, url, body }))).toEqual([
      { method: "GET", url: "/v4beta/images/private%2F1", body: "" },
      {
        method: "POST",
        url: "/v4beta/linode/instances",
        body: '{"region":"us-ord","type":"g6-standard-2","tags":["a"]}',
      },
    ]);

    expect(server.received[1]?.headers).toMatchObject({
      authorization: "Bearer secret",
      accept: "application/json",
      "content-type": "application/json",
      "user-agent": "Test/1 capstan-linode-client/0.1.0",
    });
    await client.close();
  });

  it("sends what has no call of its own, with values escaped", async () => {
    await using server = await scriptedServer([{ body: { id: 1 } }, { body: page([]).body }]);
    const client = createLinodeClient({ url: server.url });
    const made = {
      method: "PUT",
      path: "images/sharegroups/*/images/*",
      values: [7, "shared/1"],
      body: { label: "a" },
    } as const;
    expect(await client.request<{ readonly id: number }>(made)).toEqual({ id: 1 });
    await client.request({
      method: "GET",
      path: "networking/prefixlists",
      query: { page: 1 },
      filter: filter.eq("name", "pl:a"),
    });
    expect(server.received.map(({ method, url, body }) => `${method} ${url} ${body}`)).toEqual([
      'PUT /v4/images/sharegroups/7/images/shared%2F1 {"label":"a"}',
      "GET /v4/networking/prefixlists?page=1 ",
    ]);
    expect(server.received[1]?.headers["x-filter"]).toBe('{"name":"pl:a"}');
    await client.close();
  });

  it("reads every page, or only the one asked for, and sends the filter", async () => {
    await using server = await scriptedServer((request) =>
      request.url.includes("page=1&") ? page([{ id: 1 }], 1, 2) : page([{ id: 2 }], 2, 2),
    );
    const client = createLinodeClient({ url: server.url });
    const label = filter.eq("label", "node-1");
    expect(await client.instances.list({ filter: label, pageSize: 25 })).toEqual([{ id: 1 }, { id: 2 }]);
    expect(await client.instances.list({ page: 2 })).toEqual([{ id: 2 }]);
    expect(await client.instances.list.page()).toEqual({ data: [{ id: 1 }], page: 1, pages: 2, results: 1 });
    expect(server.received.map(({ url, headers }) => [url, headers["x-filter"]])).toEqual([
      ["/v4/linode/instances?page=1&page_size=25", '{"label":"node-1"}'],
      ["/v4/linode/instances?page=2&page_size=25", '{"label":"node-1"}'],
      ["/v4/linode/instances?page=2&page_size=100", undefined],
      ["/v4/linode/instances?page=1&page_size=100", undefined],
    ]);
  });

  it("deletes without a body in the answer", async () => {
    await using server = await scriptedServer([{ status: 204, body: "" }]);
    await createLinodeClient({ url: server.url }).instances.delete(7);
    expect(server.received[0]).toMatchObject({ method: "DELETE", url: "/v4/linode/instances/7" });
  });
});

const failing = async (answer: Parameters<typeof scriptedServer>[0]) => {
  await using server = await scriptedServer(answer);
  const client = createLinodeClient({ url: server.url, retry: { maxRetries: 0 } });
  return await client.instances.get(1).then(
    () => undefined,
    (error: unknown) => error as LinodeError,
  );
};

describe("errors", () => {
  it("carries status, reasons and a message in the API's words", async () => {
    const body = { errors: [{ field: "label", reason: "Label must be unique" }, { reason: "Other" }] };
    const error = await failing([{ status: 400, body }]);
    expect(error).toBeInstanceOf(LinodeError);
    expect(error).toMatchObject({ code: 400, status: 400, errors: body.errors });
    expect(error?.message).toBe("[400] [label] Label must be unique; Other");
    expect(hasStatus(error, 404, 400)).toBe(true);
    expect(isNotFound(error)).toBe(false);
  });

  it("keeps the text of a body that is not JSON", async () => {
    const error = await failing([{ status: 502, headers: { "content-type": "text/html" }, body: "<html>" }]);
    expect(error?.errors).toEqual([{ reason: "Bad Gateway" }]);
  });

  it("is an error even when the list of reasons is empty", async () => {
    expect((await failing([{ status: 404, body: { errors: [] } }]))?.message).toBe("[404] no reason given");
  });

  it("takes a page in place of the API's answer for no word about what exists", async () => {
    const html = { "content-type": "text/html" };
    expect(isNotFound(await failing([{ status: 404, headers: html, body: "<html>" }]))).toBe(false);
    expect(isNotFound(await failing([{ status: 404, body: { errors: [{ reason: "Not found" }] } }]))).toBe(true);
  });

  it("refuses what cannot be understood", async () => {
    const error = await failing([{ body: { id: "abc" } }]);
    expect(error?.message).toBe("[200] the answer cannot be understood");
  });

  it("refuses a success that is not JSON", async () => {
    const error = await failing([{ headers: { "content-type": "text/html" }, body: "hello" }]);
    expect(error?.message).toBe("[200] the answer is text/html, not JSON");
  });

  it("uses code 2 when no answer arrived", async () => {
    const error = await failing(["reset"]);
    expect(error).toMatchObject({ code: 2, status: undefined });
    expect(error?.cause).toBeDefined();
  });

  it("throws the reason of an aborted signal untouched", async () => {
    await using server = await scriptedServer(["hang"]);
    const controller = new AbortController();
    const call = createLinodeClient({ url: server.url }).instances.get(1, { signal: controller.signal });
    await server.nextRequest();
    const reason = new Error("stop");
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  it("gives up on an answer that does not come", async () => {
    await using server = await scriptedServer(["hang"]);
    const client = createLinodeClient({ url: server.url, timeoutMs: 50, retry: { maxRetries: 0 } });
    await expect(client.instances.create({ region: "a", type: "b" })).rejects.toMatchObject({ code: 2 });
  });
});

describe("cache", () => {
  it("keeps regions for a minute, until invalidated or turned off", async () => {
    await using server = await scriptedServer([page([{ id: "us-ord" }])]);
    const system = virtualSystem();
    const client = createLinodeClient({ url: server.url, system });
    await client.regions.list();
    await client.regions.list();
    expect(server.received).toHaveLength(1);
    await system.sleep(60_001);
    await client.regions.list();
    expect(server.received).toHaveLength(2);
    client.cache.invalidate("regions");
    await client.regions.list();
    expect(server.received).toHaveLength(3);
    client.cache.enabled = false;
    await client.regions.list();
    expect(server.received).toHaveLength(4);
  });

  it.each([
    ["regions", "us-ord", 60_000],
    ["types", "g6-standard-1", 60_000],
    ["kernels", "linode/grub2", 900_000],
  ] as const)("keeps single %s, each by its name, as long as lists", async (group, id, keptMs) => {
    await using server = await scriptedServer(({ url }) => ({ body: { id: decodeURIComponent(url), disk: 1 } }));
    const system = virtualSystem();
    const client = createLinodeClient({ url: server.url, system });
    await client[group].get(id);
    await client[group].get("other");
    await system.sleep(keptMs - 1);
    await client[group].get(id);
    expect(server.received).toHaveLength(2);
    await system.sleep(2);
    await client[group].get(id);
    expect(server.received).toHaveLength(3);
  });

  it("keeps no failure, and nothing that changes", async () => {
    await using server = await scriptedServer([{ status: 404, body: { errors: [] } }, { body: { id: 1 } }]);
    const client = createLinodeClient({ url: server.url });
    await expect(client.regions.get("us-ord")).rejects.toThrow();
    await client.regions.get("us-ord");
    await client.instances.get(1);
    await client.instances.get(1);
    expect(server.received).toHaveLength(4);
  });

  it("can be off from the start or expire differently", async () => {
    await using server = await scriptedServer([page([])]);
    const off = createLinodeClient({ url: server.url, cache: false });
    await off.kernels.list();
    await off.kernels.list();
    expect(server.received).toHaveLength(2);
    const system = virtualSystem();
    const short = createLinodeClient({ url: server.url, cache: { expiryMs: 10 }, system });
    await short.kernels.list();
    await system.sleep(11);
    await short.kernels.list();
    expect(server.received).toHaveLength(4);
  });
});

describe("uploads", () => {
  const url = (base: string): string => `${base}/put?X-Amz-Signature=hidden-value`;

  it("send bytes as they are, without the token, and keep the URL out of the debug log", async () => {
    await using server = await scriptedServer([{ body: "" }]);
    const lines: DebugEntry[] = [];
    const client = createLinodeClient({ url: server.url, token: "t", debug: (entry) => lines.push(entry) });
    await client.uploadImage(url(server.url), Buffer.from("bytes"));
    await client.uploadImage(url(server.url), Readable.from(["by", "tes"]));
    expect(server.received.map(({ method, body, headers }) => [method, body, headers["authorization"]])).toEqual([
      ["PUT", "bytes", undefined],
      ["PUT", "bytes", undefined],
    ]);
    expect(lines.map(({ event }) => event)).toEqual(["request", "response", "request", "response"]);
    expect(JSON.stringify(lines)).not.toContain("hidden-value");
  });

  it("are refused in the words of who answers, once, and end with the signal", async () => {
    await using server = await scriptedServer([
      { status: 503, headers: { "content-type": "text/xml" }, body: "<Error/>" },
    ]);
    const client = createLinodeClient({ url: server.url });
    await expect(client.uploadImage(url(server.url), Buffer.from("x"))).rejects.toMatchObject({ status: 503 });
    expect(server.received).toHaveLength(1);
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(client.uploadImage(url(server.url), Buffer.from("x"), { signal })).rejects.toThrow("enough");
  });
});

describe("observation", () => {
  it("reports the rate limit of each family", async () => {
    const headers = { "x-ratelimit-limit": "20", "x-ratelimit-remaining": "3", "x-ratelimit-reset": "1767225660" };
    await using server = await scriptedServer([{ headers, body: { id: 1 } }]);
    const system = virtualSystem();
    const client = createLinodeClient({ url: server.url, system });
    await client.instances.create({ region: "a", type: "b" });
    expect(client.rateLimits.get("POST linode/instances")).toEqual({
      limit: 20,
      remaining: 3,
      resetAt: 1_767_225_660_000,
      observedAt: system.now(),
    });
    expect(client.rateLimits.get("GET linode/instances/{}")).toBeUndefined();
  });

  it("lets hooks add headers and see answers", async () => {
    await using server = await scriptedServer([{ body: { id: 1 } }]);
    const seen: number[] = [];
    const client = createLinodeClient({
      url: server.url,
      hooks: {
        beforeRequest: (request) => {
          request.headers["x-trace"] = "7";
        },
        afterResponse: (response) => {
          seen.push(response.status);
        },
      },
    });
    await client.instances.get(1);
    expect(server.received[0]?.headers["x-trace"]).toBe("7");
    expect(seen).toEqual([200]);
  });

  it("hides tokens, passwords and user data in the debug log", async () => {
    await using server = await scriptedServer([{ body: { id: 1, secret_key: "key-value" } }]);
    const lines: DebugEntry[] = [];
    const client = createLinodeClient({ url: server.url, token: "token-value", debug: (entry) => lines.push(entry) });
    await client.instances.create({
      region: "a",
      type: "b",
      root_pass: "pass-value",
      metadata: { user_data: "data-value" },
    });
    const log = JSON.stringify(lines);
    expect(lines.map((line) => line.event)).toEqual(["request", "response"]);
    expect(log).toContain('"region":"a"');
    expect(log).not.toMatch(/-value/);
  });
});

describe("answers without end", () => {
  it("are not read: one that is longer than any, and pages without a last one", async () => {
    const long = "x".repeat(2 ** 20);
    await using server = await scriptedServer(({ url }) =>
      url.includes("/regions/") ? { body: { id: long.repeat(5) } } : page([{ id: 1, label: long.repeat(3) }], 1, 1e9),
    );
    const client = createLinodeClient({ url: server.url, retry: { maxRetries: 0 } });
    await expect(client.regions.get("us-ord")).rejects.toThrow(/size/i);
    await expect(client.instances.list()).rejects.toThrow("characters");
    expect(server.received.length).toBeLessThan(30);
    await client.close();
  });
});
