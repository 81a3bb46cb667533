import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { silentLogger } from "@capstan/contract";
import { fakeClock, seededRandom, turnsUntil } from "@capstan/testing";
import { resource } from "@capstan/schema";
import { afterEach, expect, it } from "vitest";
import { type AnswerSizes, connect, createCache, createClient } from "../src/index.ts";

const closing: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const served = async (listener: RequestListener, sizes?: AnswerSizes) => {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connection = connect({ url, clock: fakeClock(), ...(sizes !== undefined && { sizes }) });
  closing.push(() => connection.close());
  const open = (signal?: AbortSignal) => connection.open({ method: "GET", path: "/", signal });
  return { open, connection };
};

const stopped = new Error("stopped");
const part = Buffer.alloc(65_536, "x");
const parts = 1024;

it("lets the server wait while nobody reads, and brings every byte when somebody does", async () => {
  let written = 0;
  const write = async (response: ServerResponse): Promise<void> => {
    for (; written < parts; written++) if (!response.write(part)) await once(response, "drain");
    response.end();
  };
  const { open } = await served((_request, response) => void write(response));
  const { body } = await open();
  // Everybody's buffers are full once nothing has moved for many turns.
  for (let quiet = 0, before = written; quiet < 2000; quiet = before === written ? quiet + 1 : 0, before = written) {
    await nextTurn();
  }
  expect(written).toBeLessThan(parts / 2);
  let read = 0;
  for await (const bytes of body) read += bytes.length;
  expect(read).toBe(parts * part.length);
});

it("ends with the signal's reason: before the answer, and in the middle of it", async () => {
  const early = new AbortController();
  const silent = await served(() => early.abort(stopped));
  await expect(silent.open(early.signal)).rejects.toBe(stopped);
  await expect(silent.open(AbortSignal.abort(stopped))).rejects.toBe(stopped);

  const late = new AbortController();
  const { open } = await served((_request, response) => void response.write("a"));
  const { body } = await open(late.signal);
  const read: string[] = [];
  const reading = async () => {
    for await (const bytes of body) {
      read.push(String(bytes));
      late.abort(stopped);
    }
  };
  await expect(reading()).rejects.toBe(stopped);
  expect(read).toEqual(["a"]);
});

it("hands over what came before the connection broke, and closes one that is left early", async () => {
  const broken = await served((_request, response) => {
    response.write("a");
    setImmediate(() => response.socket?.resetAndDestroy());
  });
  const stream = await broken.open();
  const read: string[] = [];
  const reading = async () => {
    for await (const bytes of stream.body) read.push(String(bytes));
  };
  await expect(reading()).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(read).toEqual(["a"]);

  const closed = Promise.withResolvers<void>();
  const endless = await served((_request, response) => {
    response.on("close", () => closed.resolve());
    response.write("a");
  });
  for await (const bytes of (await endless.open()).body) if (String(bytes) === "a") break;
  await closed.promise;
});

const Widget = resource({ group: "", version: "v1", kind: "Widget", plural: "widgets" });
const sizes = { answer: 2 ** 18, list: 2 ** 20 };
const tooLarge = { code: "kube.answer_too_large" };

/** Writes until no one reads. */
const endless = (response: ServerResponse, next: () => string | Buffer): void => {
  const more = (): void => {
    while (!response.destroyed && response.write(next()));
    if (!response.destroyed) response.once("drain", more);
  };
  more();
};

it("reads no answer of a server that a user chose that does not end", async () => {
  const { connection } = await served((_request, response) => endless(response, () => part), sizes);
  await expect(createClient(connection).get(Widget, { namespace: "default", name: "a" })).rejects.toMatchObject(
    tooLarge,
  );
});

it("reads no refusal of another protocol that does not end", async () => {
  const { connection } = await served((_request, response) => {
    response.writeHead(400);
    endless(response, () => part);
  });
  const asked = connection.upgrade({ method: "POST", path: "/", protocol: "SPDY/3.1" });
  await expect(asked).rejects.toMatchObject({ code: "kube.bad_request" });
});

it("repeats the beginning of a message that is long", async () => {
  const { connection } = await served((_request, response) => {
    response.writeHead(403, { "content-type": "application/json" });
    response.end(JSON.stringify({ kind: "Status", message: `no${"!".repeat(100_000)}` }));
  }, sizes);
  const asked = createClient(connection).get(Widget, { namespace: "default", name: "a" });
  const { message } = await asked.then(
    () => new Error("answered"),
    (error: unknown) => error as Error,
  );
  expect(message).toMatch(/^no!!!/);
  expect(message.length).toBeLessThan(10_000);
});

it("reads no list whose pages do not end", async () => {
  let pages = 0;
  const { connection } = await served((_request, response) => {
    pages += 1;
    response.writeHead(200, { "content-type": "application/json" });
    const items = [{ metadata: { name: `w-${pages}` }, text: "x".repeat(2 ** 17) }];
    response.end(JSON.stringify({ metadata: { continue: String(pages) }, items }));
  }, sizes);
  await expect(createClient(connection).list(Widget)).rejects.toMatchObject(tooLarge);
  expect(pages).toBeLessThan(20);
});

it.each([
  ["one line without end", () => () => part],
  [
    "objects without end",
    () => {
      let name = 0;
      return () => {
        name += 1;
        const metadata = { name: `w-${name}`, resourceVersion: String(name) };
        return `${JSON.stringify({ type: "ADDED", object: { kind: "Widget", metadata, text: "x".repeat(1000) } })}\n`;
      };
    },
  ],
])("follows no watch that brings %s", async (_, source) => {
  const { connection } = await served((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    endless(response, source());
  }, sizes);
  const broken = Promise.withResolvers<string>();
  const log = { ...silentLogger, warn: (_message: string, fields?: object) => broken.resolve(JSON.stringify(fields)) };
  const cache = createCache({ connection, random: seededRandom(), log: { ...log, child: () => log } });
  const stop = new AbortController();
  closing.push(() => stop.abort());
  cache.informer(Widget);
  void cache.start({ signal: stop.signal }).catch(() => undefined);
  expect(await broken.promise).toContain("more than");
});

it("serves others while a long answer is parsed", async () => {
  const { connection } = await served(() => undefined);
  const body = `{"apiVersion":"v1","kind":"XList","metadata":{},"items":[${"{},".repeat(2 ** 18)}{}]}`;
  const headers = { "content-type": "application/json" };
  const client = createClient({ ...connection, send: async () => ({ status: 200, headers, body }) });
  const request = client.request({ method: "GET", path: "/" });
  expect(await turnsUntil(request)).toBeGreaterThan(8);
  await request;
});
