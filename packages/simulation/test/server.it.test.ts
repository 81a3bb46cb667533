import { mkdtemp, rm } from "node:fs/promises";
import { request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@capstan/contract";
import { type FakeClock, fakeClock, freePort, recentClock, seededRandom } from "@capstan/testing";
import { afterEach, describe, expect, it } from "vitest";
import {
  type Fault,
  parseFaults,
  type Service,
  type SimulatedState,
  type Simulation,
  simulation,
} from "../src/index.ts";

type State = SimulatedState;

const open = (clock: FakeClock, options: { readonly latencyMs?: number; readonly file?: string } = {}) =>
  simulation<State>(
    { name: "echo", state: { version: 1, empty: () => ({}) } },
    { clock, random: seededRandom(process.pid), log: silentLogger, ...options },
  );

/** Answers with what it was sent, after `effect`. */
const echo = (effect: () => void | Promise<void> = () => undefined, more: Partial<Service> = {}): Service => ({
  describe: ({ path, query, body }) => ({ path, family: "ANY *", query, body: body.length }),
  answer: async ({ body }) => {
    await effect();
    return { status: 200, headers: { "content-type": "text/plain" }, body };
  },
  refuse: ({ status, message, code }) => ({
    status,
    headers: { "x-code": code ?? "none" },
    body: `refused: ${message}`,
  }),
  ...more,
});

const post = async (url: string, body = "0123456789") => {
  const answer = await fetch(url, { method: "POST", body });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

let running: Simulation<State> | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

const serve = async (
  service: Service,
  { faults = [] as readonly Fault[], latencyMs = 0, clock = fakeClock() } = {},
) => {
  running = await open(clock, { latencyMs });
  const served = running.server().serve("echo", service, { faults });
  await running.start();
  return { ...served, url: served.url, clock, simulated: running };
};

describe("a planned fault", () => {
  it("answers without effect, in the vendor's words or its own", async () => {
    let effects = 0;
    const faults: Fault[] = [
      { action: { kind: "status", status: 503, reason: "down", code: "Down", headers: { "retry-after": "7" } } },
      { nth: 2, action: { kind: "status", status: 500, body: "<oops>" } },
      { nth: 3, action: { kind: "html" } },
      { nth: 4, action: { kind: "html", status: 504 } },
    ];
    const { url, requests } = await serve(
      echo(() => void effects++),
      { faults },
    );
    const first = await post(url);
    expect(first).toMatchObject({ status: 503, text: "refused: down" });
    expect([first.headers.get("retry-after"), first.headers.get("x-code")]).toEqual(["7", "Down"]);
    expect(await post(url)).toMatchObject({ status: 500, text: "<oops>" });
    const page = await post(url);
    expect([page.status, page.headers.get("content-type")]).toEqual([502, "text/html; charset=utf-8"]);
    expect(page.text).toContain("<!DOCTYPE html>");
    expect((await post(url)).status).toBe(504);
    expect(effects).toBe(0);
    expect(requests.log.map(({ status, reason }) => [status, reason])).toEqual([
      [503, "down"],
      [500, "planned fault"],
      [502, "planned fault"],
      [504, "planned fault"],
    ]);
  });

  it.each([
    ["reset", 0],
    ["lost-answer", 1],
    ["truncated", 1],
    ["truncated 3", 1],
    ["truncated 0", 1],
  ])("breaks the connection: %s", async (action, expected) => {
    let effects = 0;
    const { url, requests } = await serve(
      echo(() => void effects++),
      { faults: parseFaults(`POST * ${action}`) },
    );
    await expect(post(url)).rejects.toThrow();
    expect(effects).toBe(expected);
    expect(requests.log).toMatchObject([{ method: "POST", violation: false }]);
    expect(await post(url)).toMatchObject({ status: 200, text: "0123456789" });
  });

  it("answers something else after the effect", async () => {
    let effects = 0;
    const { url } = await serve(
      echo(() => void effects++),
      { faults: parseFaults('POST * other-answer {"id":"abc"}') },
    );
    expect(await post(url)).toMatchObject({ status: 200, text: '{"id":"abc"}' });
    expect(effects).toBe(1);
  });

  it("cuts an answer after so many bytes", async () => {
    const { url } = await serve(echo(), { faults: parseFaults("POST * truncated 3") });
    const received = await new Promise<string>((resolve, reject) => {
      const request = plainRequest(url, { method: "POST" }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", () =>
          resolve(`${response.headers["content-length"]}: ${Buffer.concat(chunks).toString()}`),
        );
      });
      request.on("error", reject);
      request.end("0123456789");
    });
    expect(received).toBe("10: 012");
  });
});

describe("a server", () => {
  it("answers after its latency, with the simulator's time", async () => {
    const { url, clock, requests } = await serve(echo(), { latencyMs: 2000 });
    const answer = post(url);
    await clock.advanceUntil(() => clock.pending > 0, { maxMs: 1000 });
    expect(requests.next).toBe(0);
    await clock.advance(2000);
    expect((await answer).headers.get("date")).toBe(new Date(clock.now()).toUTCString());
  });

  it("refuses bodies that are too large before they have an effect", async () => {
    let effects = 0;
    const { url } = await serve(echo(() => void effects++, { maxBodyBytes: 10 }));
    expect(await post(url)).toMatchObject({ status: 200 });
    expect(await post(url, "0123456789a")).toMatchObject({
      status: 413,
      text: "refused: The body is larger than 10 bytes",
    });
    expect(effects).toBe(1);
  });

  it("lets the services behind it own requests, the first that wants one", async () => {
    const login = echo(() => undefined, { owns: ({ path }) => path.startsWith("/login") });
    running = await open(fakeClock());
    const server = running.server();
    const [first, second] = [server.serve("login", login), server.serve("api", echo())];
    await running.start();
    await post(`${server.url}/login`);
    await post(`${server.url}/servers`);
    expect(first.requests.log).toMatchObject([{ path: "/login" }]);
    expect(second.requests.log).toMatchObject([{ path: "/servers" }]);
    expect(() => server.serve("api", echo())).toThrow("two services api");
  });

  it("answers 404 to what no service owns", async () => {
    const { url, requests } = await serve(echo(() => undefined, { owns: () => false }));
    expect(await post(url)).toMatchObject({ status: 404, text: "" });
    expect(requests.next).toBe(0);
  });

  it("keeps connections open", async () => {
    const { url } = await serve(echo());
    const answer = await post(url);
    expect(answer.headers.get("keep-alive")).toBe("timeout=120");
  });

  it("may come and go while the simulator runs", async () => {
    const { simulated } = await serve(echo());
    const other = simulated.server({ address: simulated.newAddress() });
    other.serve("other", echo());
    await other.start();
    expect(new URL(other.url).hostname).toMatch(/^127\.\d+\./);
    expect((await post(other.url)).status).toBe(200);
    await other.stop();
    await expect(post(other.url)).rejects.toThrow();
    simulated.server().serve("other", echo());
  });

  it("says which port it cannot have, and leaves nothing open", async () => {
    const port = await freePort();
    const first = await open(fakeClock());
    first.server({ port }).serve("echo", echo());
    await first.start();
    const second = await open(fakeClock());
    const free = await freePort();
    second.server({ port: free }).serve("echo", echo());
    second.server({ port }).serve("other", echo());
    await expect(second.start()).rejects.toMatchObject({
      code: "echo.simulator_port",
      message: expect.stringContaining(`127.0.0.1:${port}`) as string,
    });
    await expect(post(`http://127.0.0.1:${free}`)).rejects.toThrow();
    await first.stop();
  });
});

describe("stopping", () => {
  it("lets what has begun to have an effect end, and breaks off what waits", async () => {
    const gate = Promise.withResolvers<void>();
    let finished = false;
    let entered = false;
    const slow = echo(async () => {
      entered = true;
      await gate.promise;
      finished = true;
    });
    const clock = fakeClock();
    const { url, simulated } = await serve(slow, { clock, faults: parseFaults("POST /late delay 1m") });
    const late = post(`${url}/late`);
    const begun = post(url);
    late.catch(() => undefined);
    await clock.advanceUntil(() => entered && clock.pending > 0, { maxMs: 1000 });
    const stopped = simulated.stop();
    await expect(late).rejects.toThrow();
    expect(finished).toBe(false);
    gate.resolve();
    await stopped;
    expect(finished).toBe(true);
    expect(await begun).toMatchObject({ status: 200 });
    await expect(post(url)).rejects.toThrow();
  });
});

const ask = (url: string, ca: string | undefined): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const request = tlsRequest(url, { ca, family: 4 }, ({ statusCode }) => resolve(statusCode));
    request.on("error", reject);
    request.end();
  });

describe("HTTPS", () => {
  it("has certificates of an authority of its own for its name and address", async () => {
    running = await open(recentClock());
    const server = running.server({ tls: true, hostname: "localhost" });
    server.serve("echo", echo());
    await running.start();
    const { port } = new URL(server.url);
    expect(server.url).toBe(`https://localhost:${port}`);
    const ca = running.certificateAuthority;
    expect(await ask(server.url, ca)).toBe(200);
    expect(await ask(`https://127.0.0.1:${port}`, ca)).toBe(200);
    await expect(ask(server.url, undefined)).rejects.toMatchObject({ code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" });
  });

  it("keeps its authority over restarts, so that clients go on", async () => {
    const folder = await mkdtemp(join(tmpdir(), "echo-"));
    const file = join(folder, "echo.json");
    const start = async () => {
      running = await open(recentClock(), { file });
      const server = running.server({ tls: true });
      server.serve("echo", echo());
      await running.start();
      return { url: server.url, ca: running.certificateAuthority };
    };
    const { ca } = await start();
    await running?.stop();
    const { url } = await start();
    expect(await ask(url, ca)).toBe(200);
    await running?.stop();
    running = undefined;
    await rm(folder, { recursive: true });
  });
});
