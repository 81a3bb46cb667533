import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Secret } from "@capstan/contract";
import { systemClock } from "@capstan/runtime";
import { fakeClock, seededRandom, startHiddenServer } from "@capstan/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { httpService } from "../src/http/http-service.ts";
import type { HttpServiceOptions } from "../src/http/http-service.ts";

interface Seen {
  readonly call: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

type Answer = (response: ServerResponse) => void;

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };

const seen: Seen[] = [];
let answers: Answer[] = [];
let endpoint = "";
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    seen.push({
      call: `${request.method} ${request.url}`,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    });
    (answers.shift() ?? json(500, {}))(response);
  });
});

beforeEach(async () => {
  seen.length = 0;
  answers = [];
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
});

const service = (more: Partial<HttpServiceOptions> = {}) => {
  const clock = fakeClock();
  const http = httpService({ name: "acme", endpoint, clock, random: seededRandom(1), ...more });
  /** Lets virtual time pass until the call is over: in small steps, so that what the real call takes does not count. */
  const over = async <T>(call: Promise<T>): Promise<T> => {
    let ended = false;
    call.then(
      () => (ended = true),
      () => (ended = true),
    );
    await clock.advanceUntil(() => ended, { stepMs: 5 });
    return call;
  };
  return { http, clock, over };
};

describe("a call", () => {
  it("sends query, headers, token and JSON, and reads the answer", async () => {
    answers = [json(200, { id: 7 })];
    const { http } = service({ token: new Secret("t0ken"), headers: { "x-version": "4" } });
    const answer = await http.post<{ id: number }>("/servers", {
      query: { page: 2, gone: undefined },
      body: { name: "a" },
      idempotencyKey: "k",
    });
    expect(answer).toEqual({ id: 7 });
    expect(seen).toMatchObject([
      {
        call: "POST /v1/servers?page=2",
        body: '{"name":"a"}',
        headers: {
          authorization: "Bearer t0ken",
          "x-version": "4",
          "idempotency-key": "k",
          "content-type": "application/json",
        },
      },
    ]);
  });

  it("answers undefined for what is missing, if that is fine", async () => {
    answers = [json(404, {}), json(404, {})];
    const { http } = service();
    await expect(http.delete("/servers/1", { missing: "ok" })).resolves.toBeUndefined();
    await expect(http.delete("/servers/1")).rejects.toMatchObject({ code: "acme.not_found", retry: { kind: "never" } });
  });

  it("says of everything that may make something how often it was sent, and how that ended", async () => {
    answers = [json(200, {}), json(503, {}), json(200, {}), json(400, {}), json(200, {})];
    const { http, over } = service();
    const outcomes: unknown[] = [];
    const call = { sent: () => (outcome: unknown) => void outcomes.push(outcome) };
    await http.post("/servers", call);
    await over(http.put("/servers/1", call));
    await expect(http.patch("/servers/1", call)).rejects.toMatchObject({ code: "acme.invalid" });
    await http.get("/servers/1", call);
    expect(outcomes).toEqual([
      { attempts: 1 },
      { attempts: 2 },
      { attempts: 1, error: expect.objectContaining({ code: "acme.invalid" }) as unknown },
    ]);
  });

  it("does not call a write sent that the limit holds back", async () => {
    answers = [json(429, {}, { "retry-after": "30" })];
    const { http, over } = service({ limit: { perSecond: 2, burst: 3 } });
    const outcomes: unknown[] = [];
    let sent = 0;
    const call = {
      sent: () => {
        sent += 1;
        return (outcome: unknown) => void outcomes.push(outcome);
      },
    };
    const refused = { code: "acme.rate_limited", retry: { kind: "after" } };
    await expect(over(http.post("/servers", call))).rejects.toMatchObject(refused);
    await expect(over(http.post("/servers", call))).rejects.toMatchObject(refused);
    expect([seen.length, sent, outcomes.length]).toEqual([1, 1, 1]);
  });

  it("is not a call without an endpoint", () => {
    expect(() => service({ endpoint: "nowhere" })).toThrow(expect.objectContaining({ code: "acme.invalid_endpoint" }));
  });
});

describe("errors", () => {
  const errors = {
    rules: [
      {
        status: 400,
        when: ({ body }: { body: unknown }) => JSON.stringify(body).includes("quota"),
        code: "quota_exceeded",
        reason: "QuotaExceeded",
        retry: { kind: "after", ms: 60_000 },
      },
    ],
    message: ({ body }: { body: unknown }) => (body as { error?: string }).error,
  } as const;
  it.each([
    [400, { error: "quota" }, {}, "acme.quota_exceeded", { kind: "after", ms: 60_000 }],
    [400, { error: "size" }, {}, "acme.invalid", { kind: "never" }],
    [401, {}, {}, "acme.unauthorized", { kind: "never" }],
    [403, {}, {}, "acme.forbidden", { kind: "never" }],
    [409, {}, {}, "acme.conflict", { kind: "backoff" }],
    [418, {}, {}, "acme.unknown", { kind: "backoff" }],
    [429, {}, { "retry-after": "30" }, "acme.rate_limited", { kind: "after", ms: 30_000 }],
    [429, {}, { "retry-after": "Thu, 01 Jan 2026 00:00:20 GMT" }, "acme.rate_limited", { kind: "after", ms: 20_000 }],
  ])("reads %i %j %j as %s", async (status, body, headers, code, retry) => {
    answers = [json(status, body, headers)];
    const { http } = service({ errors });
    const call = http.post("/servers?sig=secret", { body: {} });
    await expect(call).rejects.toMatchObject({ code, retry, details: { status } });
    await expect(call).rejects.toThrow(expect.not.stringContaining("sig"));
    if ("error" in body) await expect(call).rejects.toThrow(body.error);
  });
});

describe("repeating", () => {
  it("repeats a GET through passing failures", async () => {
    answers = [json(503, {}), (response) => response.destroy(), json(200, "there")];
    const { http, over } = service();
    await expect(over(http.get("/x"))).resolves.toBe("there");
    expect(seen).toHaveLength(3);
  });
  it("gives up after the last attempt", async () => {
    answers = [json(503, {}), json(503, {}), json(503, {})];
    const { http, over } = service();
    await expect(over(http.get("/x"))).rejects.toMatchObject({ code: "acme.unavailable" });
    expect(seen).toHaveLength(3);
  });
  it("does not repeat a POST that may have been carried out", async () => {
    answers = [(response) => response.destroy()];
    const { http, over } = service();
    await expect(over(http.post("/x", { body: {} }))).rejects.toMatchObject({ code: "acme.unavailable" });
    expect(seen).toHaveLength(1);
  });
  it("repeats a POST that carries an idempotency key", async () => {
    answers = [json(500, {}), json(200, 1)];
    const { http, over } = service();
    await expect(over(http.post("/x", { idempotencyKey: "k" }))).resolves.toBe(1);
  });
  it("waits for a short Retry-After and hands a long one to the caller", async () => {
    answers = [json(429, {}, { "retry-after": "1" }), json(200, 1), json(429, {}, { "retry-after": "30" })];
    const { http, over, clock } = service();
    const startedAt = clock.now();
    await expect(over(http.get("/x"))).resolves.toBe(1);
    expect(clock.now() - startedAt).toBeGreaterThanOrEqual(1000);
    await expect(over(http.get("/x"))).rejects.toMatchObject({ retry: { kind: "after", ms: 30_000 } });
    expect(seen).toHaveLength(3);
  });
});

describe("time", () => {
  it("ends an attempt that hangs", async () => {
    answers = [() => undefined];
    const { http, over } = service({ timeoutMs: 5000, attempts: 1 });
    await expect(over(http.get("/x"))).rejects.toMatchObject({ code: "acme.timeout" });
  });
  it("ends at once when the caller gives up, with the caller's reason", async () => {
    const caller = new AbortController();
    answers = [() => caller.abort(new DOMException("enough", "AbortError"))];
    const { http } = service();
    await expect(http.get("/x", { signal: caller.signal })).rejects.toThrow("enough");
  });
  it("keeps to the rate: a burst at once, the rest spaced", async () => {
    answers = Array.from({ length: 5 }, () => json(200, 1));
    const { http, over, clock } = service({ limit: { perSecond: 2, burst: 3 } });
    const startedAt = clock.now();
    await over(Promise.all([1, 2, 3, 4, 5].map(() => http.get("/x"))));
    expect(clock.now() - startedAt).toBeGreaterThanOrEqual(1000);
    expect(clock.now() - startedAt).toBeLessThan(2000);
  });
});

describe("the way to the service", () => {
  it("leads through the proxy for its address, and trusts the authority that is given", async () => {
    await using hidden = await startHiddenServer((_, response) => response.end('"found"'));
    const asked: string[] = [];
    const proxyFor = (url: string): string => {
      asked.push(url);
      return hidden.proxy.url;
    };
    // TLS verifies certificates by real time.
    const way = { endpoint: hidden.url, clock: systemClock, proxyFor };
    await expect(httpService({ name: "acme", ...way, attempts: 1 }).get("/x")).rejects.toMatchObject({
      code: "acme.unavailable",
    });
    expect(await httpService({ name: "acme", ...way, ca: hidden.ca }).get("/x")).toBe("found");
    expect(new Set(asked)).toEqual(new Set([hidden.url]));
    expect(hidden.proxy.asked.length).toBeGreaterThan(0);
  });

  it("is direct where there is no proxy", async () => {
    answers = [json(200, 1)];
    const { http, over } = service({ proxyFor: () => undefined });
    expect(await over(http.get("/x"))).toBe(1);
  });
});

it("reads no answer that does not end", async () => {
  const part = "x".repeat(2 ** 16);
  let written = 0;
  answers = Array.from({ length: 3 }, () => (response: ServerResponse) => {
    const more = (): void => {
      while (!response.destroyed && response.write(part)) written += part.length;
      if (!response.destroyed) response.once("drain", more);
    };
    more();
  });
  const { http, over } = service({ maxAnswerBytes: 2 ** 20 });
  await expect(over(http.get("/servers"))).rejects.toMatchObject({ code: "acme.unavailable" });
  expect(written).toBeLessThan(2 ** 26);
});
