import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect as connectTcp } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { connect, type TLSSocket } from "node:tls";
import { createCertificateAuthority, generateKeys, issueCertificate } from "@capstan/pki";
import { systemClock } from "@capstan/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chunk, ChunkedStream, maximumBacklog } from "./chunked-stream.ts";
import { endWith } from "./end-with.ts";
import { WaitingBytes } from "./waiting-bytes.ts";
import { type Patience, patience, type RunningServer, startHttpsServer } from "./https-server.ts";

const servers: RunningServer[] = [];
let issued: { readonly certificate: string; readonly key: string };
let ca: string;
/** Port of a server with the default timeouts. */
let port: number;
/** Resolves with whether the whole of the large answer was taken. */
const large = Promise.withResolvers<boolean>();

/** Requests to /counted, and how often two of them were worked on at a time. */
const counted = { requests: 0, overlaps: 0, open: 0 };
/** Resolves when the connection of /counted is closed. */
const countedClosed = Promise.withResolvers<void>();
const mebibyte = 1_048_576;
/** The most that waited on the connection of a client that does not read a stream; resolves when it is cut off. */
const flooded = Promise.withResolvers<number>();

const count = (response: ServerResponse): void => {
  response.socket?.once("close", () => countedClosed.resolve());
  counted.requests += 1;
  counted.overlaps += counted.open > 0 ? 1 : 0;
  counted.open += 1;
  response.once("close", () => (counted.open -= 1));
  endWith(response, Buffer.alloc(mebibyte, "x"));
};

const flood = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const frame = chunk("x".repeat(mebibyte));
  response.writeHead(200);
  const stream = new ChunkedStream(request, response, { waiting: new WaitingBytes(), user: "u" });
  const { socket } = request;
  let most = 0;
  for (let frames = 0; frames < 100 && !response.destroyed; frames += 1) {
    stream.write(frame);
    most = Math.max(most, socket.writableLength);
    await nextTurn();
  }
  flooded.resolve(response.destroyed ? most : Infinity);
};

const answer = (request: IncomingMessage, url: string, response: ServerResponse): void => {
  if (url === "/large") {
    response.once("close", () => large.resolve(response.writableFinished));
    endWith(response, Buffer.alloc(64 * mebibyte, "x"));
  } else if (url === "/medium") {
    endWith(response, Buffer.alloc(3 * mebibyte, "x"));
  } else if (url === "/counted") {
    count(response);
  } else if (url === "/flood") {
    void flood(request, response);
  } else if (url === "/open") {
    response.writeHead(200);
    response.flushHeaders();
  } else {
    response.end("small");
  }
};

beforeAll(async () => {
  const now = systemClock.now();
  const authority = await createCertificateAuthority({ now, algorithm: "ECDSA-P256" });
  issued = await issueCertificate(authority, {
    now,
    commonName: "server",
    hosts: ["127.0.0.1"],
    usages: ["server"],
    keys: await generateKeys("ECDSA-P256"),
  });
  ca = authority.certificate;
  port = await serve({});
});

afterAll(async () => {
  for (const server of servers) {
    server.closeNow();
    await server.close();
  }
});

/** Starts a server; answers its port. `hurry`: what it has less patience with than others. */
const serve = async (hurry: Partial<Patience>): Promise<number> => {
  const server = await startHttpsServer({
    host: "127.0.0.1",
    port: 0,
    ...issued,
    clientCA: ca,
    patience: { ...patience, ...hurry },
    handle: async (request, response) => {
      const { promise: given, resolve } = Promise.withResolvers<void>();
      if (["/open", "/flood"].includes(request.url ?? "")) response.once("close", resolve);
      else request.once("end", resolve);
      request.once("end", () => answer(request, request.url ?? "", response)).resume();
      await given;
    },
  });
  servers.push(server);
  return server.port;
};

const shortMs = 200;
/** More than a slow machine takes to send a request and to take its answer. */
const longMs = 1_500;

/** Resolves when a server that gives up on handshakes after so long has done so. */
const passed = async (handshakeMs: number): Promise<void> => {
  await once(connectTcp({ port: await serve({ handshakeMs }), host: "127.0.0.1" }), "close");
};

const open = async (text: string, to = port): Promise<TLSSocket> => {
  const socket = connect({ port: to, host: "127.0.0.1", ca });
  await once(socket, "secureConnect");
  socket.on("error", () => undefined);
  socket.write(text);
  return socket;
};

const received = async (socket: TLSSocket): Promise<string> => {
  let text = "";
  socket.on("data", (data: Buffer) => (text += data.toString("latin1")));
  await once(socket, "close");
  return text;
};

describe("clients that take their time", () => {
  it("are cut off in the handshake", async () => {
    await passed(shortMs);
  });

  it("are told so and cut off in the headers and in the body", async () => {
    const hurried = await serve({ requestMs: shortMs });
    const inHeaders = await open("GET / HTTP/1.1\r\nhost: x\r\nslow", hurried);
    expect(await received(inHeaders)).toMatch(/^HTTP\/1.1 408 /);
    const inBody = await open("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nslow", hurried);
    expect(await received(inBody)).toMatch(/^HTTP\/1.1 408 /);
  });

  it("are cut off when they do not take their answer", async () => {
    const socket = await open("GET /large HTTP/1.1\r\nhost: x\r\n\r\n", await serve({ answerMs: shortMs }));
    socket.pause();
    expect(await large.promise).toBe(false);
    socket.destroy();
  });

  it("get one answer at a time, however many requests they send", async () => {
    const hurried = await serve({ answerMs: shortMs });
    const socket = await open("GET /counted HTTP/1.1\r\nhost: x\r\n\r\n".repeat(200), hurried);
    socket.pause();
    await countedClosed.promise;
    socket.destroy();
    expect(counted.overlaps).toBe(0);
    // What the two ends of a connection keep in the operating system takes a few of them.
    expect(counted.requests).toBeGreaterThan(0);
    expect(counted.requests).toBeLessThan(50);
  });

  it("get every answer of as many requests when they read", async () => {
    const many = "GET / HTTP/1.1\r\nhost: x\r\n\r\n".repeat(99);
    const socket = await open(`${many}GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    expect((await received(socket)).match(/HTTP\/1.1 200/g)).toHaveLength(100);
  });

  it("are cut off when too many requests wait for an answer that does not end", async () => {
    const socket = await open("GET /open HTTP/1.1\r\nhost: x\r\n\r\n");
    await once(socket, "data");
    const closed = once(socket, "close");
    socket.resume();
    socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n".repeat(2_000));
    await closed;
  });

  it("may keep an answer open that is not complete and that had to wait for the one before", async () => {
    const hurried = await serve({ answerMs: longMs });
    const requests = ["/medium", "/open"].map((path) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    const socket = await open(requests.join(""), hurried);
    let text = "";
    const begun = Promise.withResolvers<void>();
    socket.on("data", (data: Buffer) => {
      text += data.toString("latin1");
      if (text.split("HTTP/1.1 200").length > 2) begun.resolve();
    });
    await begun.promise;
    await passed(longMs + shortMs);
    expect(socket.destroyed).toBe(false);
    socket.destroy();
  });

  it("are cut off when too much of a stream waits for them", async () => {
    const socket = await open("GET /flood HTTP/1.1\r\nhost: x\r\n\r\n");
    socket.pause();
    const most = await flooded.promise;
    expect(most).toBeGreaterThan(maximumBacklog);
    expect(most).toBeLessThan(maximumBacklog + 2 * mebibyte);
    socket.destroy();
  });

  it("may keep a connection open between requests, and an answer that is not complete", async () => {
    const hurried = await serve({ requestMs: longMs, answerMs: longMs });
    const watch = await open("GET /open HTTP/1.1\r\nhost: x\r\n\r\n", hurried);
    await once(watch, "data");
    const socket = await open("GET / HTTP/1.1\r\nhost: x\r\n\r\n", hurried);
    await once(socket, "data");
    await passed(longMs + shortMs);
    socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
    const [data] = (await once(socket, "data")) as [Buffer];
    expect(data.toString()).toMatch(/^HTTP\/1.1 200 /);
    // The time that the server really keeps it, in seconds: more than the 90 after which clients in Go give it up.
    expect(Number(/^keep-alive: timeout=(\d+)\r$/im.exec(data.toString())?.[1])).toBeGreaterThan(90);
    expect(watch.destroyed).toBe(false);
    watch.destroy();
    socket.destroy();
  });
});

it.each([100, 4096])("reads a request whose %i parts arrive while the answer before is on its way", async (parts) => {
  const part = "x".repeat(1024);
  const socket = await open("GET /medium HTTP/1.1\r\nhost: x\r\n\r\n");
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${part.length * parts}\r\n\r\n`);
  for (let index = 0; index < parts; index += 1) socket.write(part);
  expect((await received(socket)).match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 200"]);
});

describe("a server that is closed", () => {
  const request = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;

  /** Answers at once; what is asked of /held only when it is released. */
  const holding = async () => {
    const begun: string[] = [];
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const own = await startHttpsServer({
      host: "127.0.0.1",
      port: 0,
      ...issued,
      clientCA: ca,
      handle: async ({ url = "" }, response) => {
        begun.push(url);
        if (url === "/held") {
          held.resolve();
          await released.promise;
        }
        response.end(`answer to ${url}.`);
      },
    });
    return { own, begun, held: held.promise, release: () => released.resolve() };
  };

  it("lets a request finish that had to wait for another", async () => {
    const { own, held, release } = await holding();
    const text = received(await open(request("/first") + request("/held"), own.port));
    await held;
    const closed = own.close();
    release();
    expect((await text).match(/answer to \/[a-z]+/g)).toEqual(["answer to /first", "answer to /held"]);
    await closed;
  });

  it("begins none that still waits", async () => {
    const { own, begun, held, release } = await holding();
    const text = received(await open(request("/held") + request("/second"), own.port));
    await held;
    const closed = own.close();
    release();
    expect((await text).match(/answer to \/[a-z]+/g)).toEqual(["answer to /held"]);
    await closed;
    expect(begun).toEqual(["/held"]);
  });
});
