import { once } from "node:events";
import { createServer, type AddressInfo, connect as connectTcp, type Server } from "node:net";
import type { IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { createWebSocketStream, WebSocket } from "ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiServer } from "../src/index.ts";
import { SpdyConnection } from "@capstan/spdy";
import { type Api, createApi } from "./conformance/api.ts";
import { expectCode } from "./conformance/expectations.ts";
import { startServer } from "./embedded-server.ts";

const pods = "/api/v1/namespaces/default/pods";
const path = `${pods}/bound/portforward`;
const admin = { authorization: "Bearer token-admin" };
const spdyHeaders = { connection: "Upgrade", upgrade: "SPDY/3.1", "x-stream-protocol-version": "portforward.k8s.io" };

const pod = (name: string, nodeName?: string) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name },
  spec: { ...(nodeName !== undefined && { nodeName }), containers: [{ name: "main", image: "test" }] },
});

describe("pods/portforward", () => {
  let echo: Server;
  let server: ApiServer;
  let api: Api;
  let asked: string[];

  beforeAll(async () => {
    echo = createServer({ allowHalfOpen: true }, (socket) => socket.on("error", () => undefined).pipe(socket));
    await once(echo.listen(0, "127.0.0.1"), "listening");
    asked = [];
    server = await startServer({
      connectPod: async ({ metadata }, port) => {
        asked.push(`${metadata.name}:${port}`);
        if (port !== 80) throw new Error(`dial tcp4 127.0.0.1:${port}: connect: connection refused`);
        return connectTcp((echo.address() as AddressInfo).port, "127.0.0.1");
      },
    });
    api = createApi({
      url: server.url,
      caCertificate: server.caCertificate,
      tokens: { admin: "token-admin", alice: "token-alice", bob: "token-bob" },
      carol: { certificate: "", key: "" },
    });
    await api.post("/api/v1/nodes", { apiVersion: "v1", kind: "Node", metadata: { name: "node" } });
    for (const each of [pod("bound", "node"), pod("unbound")]) expectCode(await api.post(pods, each), 201);
  });
  afterAll(async () => {
    await api.close();
    await server.stop();
    echo.close();
  });

  /** Resolves with the answer, and with the connection when that became another protocol. */
  const upgrade = async (
    headers: Readonly<Record<string, string>>,
    to = path,
  ): Promise<{ readonly code: number; readonly body: string; readonly socket?: Duplex }> => {
    const options = {
      method: "POST",
      headers: { ...admin, ...headers },
      ca: server.caCertificate,
      agent: false,
    } as const;
    const sent = httpsRequest(new URL(to, server.url), options).end();
    return await new Promise((resolve, reject) => {
      sent.once("error", reject);
      sent.once("upgrade", ({ statusCode: code = 0 }, socket) => resolve({ code, body: "", socket }));
      sent.once("response", (answer) => {
        void text(answer).then((body) => resolve({ code: answer.statusCode ?? 0, body }), reject);
      });
    });
  };
  const spdy = async (): Promise<SpdyConnection> => {
    const { socket } = await upgrade(spdyHeaders);
    return new SpdyConnection(socket as Duplex, { role: "client" });
  };
  const webSocket = async (): Promise<SpdyConnection> => {
    const url = new URL(path, server.url.replace("https", "wss"));
    const protocol = "SPDY/3.1+portforward.k8s.io";
    const header = "sec-websocket-protocol";
    const socket = new WebSocket(url, {
      headers: admin,
      ca: server.caCertificate,
      // The library neither sends nor takes a protocol with a slash.
      finishRequest: (sent) => {
        sent.prependListener("upgrade", (answer: IncomingMessage) => {
          expect(answer.headers[header]).toBe(protocol);
          delete answer.headers[header];
        });
        sent.setHeader(header, protocol).end();
      },
    });
    await once(socket, "open");
    return new SpdyConnection(createWebSocketStream(socket), { role: "client" });
  };
  const open = (connection: SpdyConnection, port: number, requestid = "0") => {
    const headers = { port: String(port), requestid };
    const error = connection.open({ ...headers, streamtype: "error" });
    error.end();
    return { error, data: connection.open({ ...headers, streamtype: "data" }) };
  };

  it.each([
    { over: "SPDY", dial: spdy },
    { over: "a WebSocket", dial: webSocket },
  ])("carries connections over $over", async ({ dial }) => {
    const connection = await dial();
    const large = Buffer.alloc(3_000_000, "0123456789");
    const pairs = ["0", "1"].map((id) => open(connection, 80, id));
    for (const { data } of pairs) data.end(large);
    const said = await Promise.all(pairs.map(({ data, error }) => Promise.all([text(data), text(error)])));
    for (const [bytes, errors] of said) {
      expect(bytes === large.toString()).toBe(true);
      expect(errors).toBe("");
    }
    connection.close();
    await connection.closed;
  });

  it("lets the client know why a port cannot be reached", async () => {
    const connection = await spdy();
    const { data, error } = open(connection, 81);
    expect(await text(error)).toBe(
      "error forwarding port 81 to pod default/bound: dial tcp4 127.0.0.1:81: connect: connection refused",
    );
    expect(await text(data)).toBe("");
    expect(asked).toContain("bound:81");
    connection.close();
  });

  it.each([
    { what: "without a port", headers: { streamtype: "data", requestid: "0" } },
    { what: "with a port that is none", headers: { streamtype: "data", requestid: "0", port: "65536" } },
    { what: "of another type", headers: { streamtype: "stdin", requestid: "0", port: "80" } },
  ])("refuses a stream $what", async ({ headers }) => {
    const connection = await spdy();
    const stream = connection.open(headers);
    const [error] = (await once(stream, "error")) as [Error];
    expect(error.message).toBe("the other side has reset the stream (reason 3)");
    connection.close();
  });

  it("refuses a request that asks for a type of answers, as container runtimes do", async () => {
    expect(await upgrade({ ...spdyHeaders, accept: "application/json" })).toMatchObject({
      code: 406,
      body: expect.stringContaining("Not Acceptable") as unknown,
    });
    const { socket } = await upgrade({ ...spdyHeaders, accept: "application/json, */*;q=0.5" });
    expect(socket).toBeDefined();
    socket?.destroy();
  });

  it("closes the connection of a client that does not speak SPDY", async () => {
    const { socket } = await upgrade(spdyHeaders);
    socket?.write("GET / HTTP/1.1\r\n\r\n");
    const said = Buffer.concat(await (socket as Duplex).toArray());
    // GOAWAY for a protocol error.
    expect(said.toString("hex")).toBe("80030007" + "00000008" + "00000000" + "00000001");
  });

  it.each([
    { what: "no upgrade", headers: {}, code: 400, why: "Upgrade request required" },
    {
      what: "an upgrade to something else",
      headers: { ...spdyHeaders, upgrade: "h2c" },
      code: 400,
      why: '"h2c" is not served',
    },
    {
      what: "another protocol",
      headers: { ...spdyHeaders, "x-stream-protocol-version": "v4.channel.k8s.io" },
      code: 403,
      why: "client supports [v4.channel.k8s.io], server accepts [portforward.k8s.io]",
    },
    { what: "no Pod", headers: spdyHeaders, to: `${pods}/none/portforward`, code: 404, why: 'pods "none" not found' },
    {
      what: "a Pod on no Node",
      headers: spdyHeaders,
      to: `${pods}/unbound/portforward`,
      code: 400,
      why: "not have a host",
    },
    {
      what: "a stranger",
      headers: { ...spdyHeaders, authorization: "Bearer token-bob" },
      code: 403,
      why: 'User "bob"',
    },
  ])("is refused for $what", async ({ headers, to, code, why }) => {
    const answer = await upgrade(headers, to);
    expect(answer.code).toBe(code);
    expect(JSON.parse(answer.body)).toMatchObject({ kind: "Status", message: expect.stringContaining(why) });
  });

  it("ends with the server", async () => {
    const connection = await spdy();
    const { data } = open(connection, 80);
    data.write("x");
    await once(data, "data");
    await server.stop();
    await connection.closed;
  });
});
