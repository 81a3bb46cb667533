import { describe, expect, it } from "vitest";
import { Agent } from "undici";
import { createLinodeClient } from "../src/index.ts";
import type { RetryOptions } from "../src/index.ts";
import { scriptedServer } from "./scripted-server.ts";
import type { Answer } from "./scripted-server.ts";
import { virtualSystem } from "./virtual-system.ts";

const ok = { body: { id: 1 } };

const run = async (
  answers: readonly Answer[],
  options: { readonly method?: "GET" | "POST"; readonly retry?: RetryOptions; readonly random?: number } = {},
) => {
  await using server = await scriptedServer(answers);
  const system = virtualSystem(options.random);
  const client = createLinodeClient({ url: server.url, system, retry: options.retry ?? {} });
  const call =
    options.method === "POST" ? client.instances.create({ region: "a", type: "b" }) : client.instances.get(1);
  const outcome = await call.then(
    () => "ok",
    (error: Error) => error.message,
  );
  return { outcome, requests: server.received.length, sleeps: system.sleeps };
};

const reasons = (...texts: readonly string[]) => ({ errors: texts.map((reason) => ({ reason })) });

describe("what is tried again", () => {
  const cases: readonly (readonly [name: string, answer: Answer, method: "GET" | "POST", again: boolean])[] = [
    ["429", { status: 429, body: reasons("Too many requests") }, "POST", true],
    ["408", { status: 408, body: reasons("Please try again") }, "POST", true],
    ["503", { status: 503, body: reasons("x") }, "POST", true],
    ["503 in maintenance", { status: 503, headers: { "x-maintenance-mode": "1" }, body: reasons("x") }, "GET", false],
    ["busy", { status: 400, body: reasons("Linode busy.") }, "POST", true],
    ["busy and more", { status: 400, body: reasons("Linode busy.", "other") }, "POST", false],
    ["400", { status: 400, body: reasons("Label must be unique") }, "GET", false],
    [
      "400 of the proxy",
      { status: 400, headers: { server: "nginx", "content-type": "text/html; charset=utf-8" }, body: "<html>" },
      "POST",
      true,
    ],
    ["404", { status: 404, body: reasons("Not found") }, "GET", false],
    ["500", { status: 500, body: reasons("x") }, "GET", false],
    ["502", { status: 502, body: reasons("x") }, "GET", false],
    ["504", { status: 504, body: reasons("x") }, "GET", false],
    [
      "400 in HTML of somebody else",
      { status: 400, headers: { server: "apache", "content-type": "text/html" }, body: "<html>" },
      "GET",
      false,
    ],
    ["reset of a GET", "reset", "GET", true],
    ["reset of a POST", "reset", "POST", false],
  ];
  it.each(cases)("%s", async (_name, answer, method, again) => {
    const { outcome, requests, sleeps } = await run([answer, ok], { method });
    expect({ ok: outcome === "ok", requests }).toEqual({ ok: again, requests: again ? 2 : 1 });
    expect(sleeps).toEqual(again ? [3000] : []);
  });

  it.each(["PUT", "DELETE"] as const)("reset of a %s", async (method) => {
    await using server = await scriptedServer(["reset", ok]);
    const client = createLinodeClient({ url: server.url, system: virtualSystem() });
    await (method === "PUT" ? client.instances.update(1, {}) : client.instances.delete(1));
    expect(server.received.map((each) => each.method)).toEqual([method, method]);
  });

  it("what an HTTP/2 server sends away, also a POST", async () => {
    await using server = await scriptedServer([ok]);
    const agent = new Agent();
    let sentAway = 0;
    const dispatcher = agent.compose((dispatch) => (options, handler) => {
      sentAway += 1;
      if (sentAway > 1) return dispatch(options, handler);
      throw new Error('HTTP/2: "GOAWAY" frame received with code 0');
    });
    const system = virtualSystem();
    const client = createLinodeClient({ url: server.url, system, dispatcher });
    expect(await client.instances.create({ region: "a", type: "b" })).toEqual({ id: 1 });
    expect({ sentAway, sleeps: system.sleeps }).toEqual({ sentAway: 2, sleeps: [3000] });
    await agent.close();
  });

  it("a thousand times unless told otherwise", async () => {
    await using server = await scriptedServer([{ status: 429, body: reasons("slow") }]);
    const client = createLinodeClient({ url: server.url, system: virtualSystem() });
    await expect(client.instances.get(1)).rejects.toThrow("slow");
    expect(server.received).toHaveLength(1001);
  });

  it("also what the caller says", async () => {
    const retry = { conditions: [({ status }: { status?: number }) => status === 500] };
    expect(await run([{ status: 500, body: reasons("x") }, ok], { retry })).toMatchObject({ outcome: "ok" });
  });

  it("not more often than allowed, never with 0", async () => {
    const busy = { status: 429, body: reasons("slow") };
    expect(await run([busy], { retry: { maxRetries: 2 } })).toMatchObject({ requests: 3, outcome: "[429] slow" });
    expect(await run([busy], { retry: { maxRetries: 0 } })).toMatchObject({ requests: 1 });
  });
});

const waits = async (after: string, random = 0) =>
  (await run([{ status: 429, headers: { "retry-after": after }, body: reasons("x") }, ok], { random })).sleeps[0];

describe("how long it waits", () => {
  it.each([
    ["seconds", "7", 7000],
    ["at least the minimum", "1", 3000],
    ["at most the maximum", "600", 30_000],
    ["an HTTP date", "Thu, 01 Jan 2026 00:00:12 GMT", 12_000],
    ["a date that has passed", "Wed, 31 Dec 2025 00:00:00 GMT", 3000],
    ["something unreadable", "soon", 3000],
  ])("%s", async (_name, after, expected) => {
    expect(await waits(after)).toBe(expected);
  });

  it("longer by chance, never shorter", async () => {
    expect(await waits("10", 0.5)).toBe(11_000);
  });

  it("stops waiting when aborted", async () => {
    await using server = await scriptedServer([{ status: 429, body: reasons("x") }]);
    const controller = new AbortController();
    const reason = new Error("stop");
    const system = {
      ...virtualSystem(),
      sleep: async (_ms: number, options?: { readonly signal?: AbortSignal }) => {
        controller.abort(reason);
        await Promise.resolve();
        options?.signal?.throwIfAborted();
      },
    };
    const client = createLinodeClient({ url: server.url, system });
    await expect(client.instances.get(1, { signal: controller.signal })).rejects.toBe(reason);
    expect(server.received).toHaveLength(1);
  });
});
