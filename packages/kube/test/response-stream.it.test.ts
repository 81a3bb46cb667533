import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fakeClock } from "@capstan/testing";
import { afterEach, expect, it } from "vitest";
import { connect } from "../src/index.ts";

const closing: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const served = async (listener: RequestListener) => {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const connection = connect({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, clock: fakeClock() });
  closing.push(() => connection.close());
  const open = (signal?: AbortSignal) => connection.open({ method: "GET", path: "/", signal });
  return { open };
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
