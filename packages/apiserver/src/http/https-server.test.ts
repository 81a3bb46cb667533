import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect as connectTcp } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import { createCertificateAuthority, generateKeys, issueCertificate } from "@capstan/pki";
import { systemClock } from "@capstan/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { patience, type RunningServer, startHttpsServer } from "./https-server.ts";

let server: RunningServer;
let ca: string;
let port: number;
/** Resolves with whether the whole of the large answer was taken. */
const large = Promise.withResolvers<boolean>();

const answer = (url: string, response: ServerResponse): void => {
  if (url === "/large") {
    response.once("close", () => large.resolve(response.writableFinished));
    response.end(Buffer.alloc(64 * 1024 * 1024, "x"));
  } else if (url === "/medium") {
    response.end(Buffer.alloc(200 * 1024, "x"));
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
  const issued = await issueCertificate(authority, {
    now,
    commonName: "server",
    hosts: ["127.0.0.1"],
    usages: ["server"],
    keys: await generateKeys("ECDSA-P256"),
  });
  ca = authority.certificate;
  server = await startHttpsServer({
    host: "127.0.0.1",
    port: 0,
    ...issued,
    clientCA: ca,
    patience: { ...patience, handshakeMs: 200, requestMs: 200, answerMs: 200 },
    handle: (request, response) => {
      request.on("end", () => answer(request.url ?? "", response));
      request.resume();
      return once(response, request.url === "/open" ? "close" : "prefinish").then(() => undefined);
    },
  });
  ({ port } = server);
});

afterAll(async () => {
  server.closeNow();
  await server.close();
});

const open = async (text: string): Promise<TLSSocket> => {
  const socket = connect({ port, host: "127.0.0.1", ca });
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
    const socket = connectTcp({ port, host: "127.0.0.1" });
    await once(socket, "close");
  });

  it("are told so and cut off in the headers and in the body", async () => {
    const inHeaders = await open("GET / HTTP/1.1\r\nhost: x\r\nslow");
    expect(await received(inHeaders)).toMatch(/^HTTP\/1.1 408 /);
    const inBody = await open("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nslow");
    expect(await received(inBody)).toMatch(/^HTTP\/1.1 408 /);
  });

  it("are cut off when they do not take their answer", async () => {
    const socket = await open("GET /large HTTP/1.1\r\nhost: x\r\n\r\n");
    socket.pause();
    expect(await large.promise).toBe(false);
    socket.destroy();
  });

  it("may keep a connection open between requests, and an answer that is not complete", async () => {
    const watch = await open("GET /open HTTP/1.1\r\nhost: x\r\n\r\n");
    await once(watch, "data");
    const socket = await open("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
    await once(socket, "data");
    const cut = connectTcp({ port, host: "127.0.0.1" });
    await once(cut, "close");
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

it("reads a request whose parts arrive while the answer before is still on its way", async () => {
  const part = "x".repeat(1024);
  const parts = 100;
  const socket = await open("GET /medium HTTP/1.1\r\nhost: x\r\n\r\n");
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${part.length * parts}\r\n\r\n`);
  for (let index = 0; index < parts; index += 1) socket.write(part);
  expect((await received(socket)).match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 200"]);
});
