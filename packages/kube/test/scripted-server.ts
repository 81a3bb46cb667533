import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createHttp, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createHttps } from "node:https";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { KubeObject } from "@capstan/schema";
import { freePort } from "@capstan/testing";

const fixture = (name: string): string => readFileSync(new URL(`./__fixtures__/${name}`, import.meta.url), "utf8");

export const serverCertificate = fixture("server.crt");
export const serverKey = fixture("server.key");

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

interface Change {
  readonly version: number;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: KubeObject;
}

export const status = (code: number, reason: string, message = reason): object => ({
  kind: "Status",
  apiVersion: "v1",
  status: "Failure",
  code,
  reason,
  message,
});

export const answerStatus =
  (code: number, reason: string, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_request, response) => {
    response.writeHead(code, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(status(code, reason)));
  };

/**
 * A Kubernetes API server for one collection, `/api/v1/namespaces/default/widgets`, with every fault a test needs: answers can be
 * replaced, watches broken in any way, connections cut, the server stopped and started on the same port.
 */
export class ScriptedServer {
  readonly requests: string[] = [];
  readonly bodies: string[] = [];
  readonly sockets = new Set<Socket>();
  handshakes = 0;
  /** Those that continue the session of another connection. */
  resumed = 0;
  /** The most sockets that were open at once. */
  peakSockets = 0;
  /** Replaces the next answers, in order; `undefined` answers as usual. */
  readonly script: (Answer | undefined)[] = [];
  /** Decides about each request before the script does. */
  guard: ((request: IncomingMessage) => Answer | undefined) | undefined;
  streamingLists = true;
  /** Changes up to this version can no longer be watched from. */
  compacted = 0;
  readonly #tls: boolean;
  readonly #objects = new Map<string, KubeObject>();
  readonly #history: Change[] = [];
  readonly #watchers = new Set<ServerResponse>();
  /** Below TLS, by the client's port: only these can be reset. */
  readonly #raw = new Map<number, Socket>();
  #version = 100;
  #uids = 0;
  #port = 0;
  #server = createHttp();

  constructor(options: { readonly tls?: boolean } = {}) {
    this.#tls = options.tls ?? false;
  }

  get url(): string {
    return `${this.#tls ? "https" : "http"}://127.0.0.1:${this.#port}`;
  }

  get watches(): number {
    return this.#watchers.size;
  }

  get version(): string {
    return String(this.#version);
  }

  objects(): readonly KubeObject[] {
    return [...this.#objects.values()];
  }

  async start(): Promise<this> {
    // One that no one else is given while this server is stopped.
    if (this.#port === 0) this.#port = await freePort();
    const listener: RequestListener = (request, response) => this.#answer(request, response);
    this.#server = this.#tls
      ? createHttps({ cert: serverCertificate, key: serverKey }, listener)
      : createHttp(listener);
    this.#server.on("connection", (socket: Socket) => this.#raw.set(socket.remotePort ?? 0, socket));
    this.#server.on(this.#tls ? "secureConnection" : "connection", (socket: Socket) => {
      this.handshakes += 1;
      if (socket instanceof TLSSocket && socket.isSessionReused()) this.resumed += 1;
      this.sockets.add(socket);
      this.peakSockets = Math.max(this.peakSockets, this.sockets.size);
      socket.on("close", () => this.sockets.delete(socket));
      socket.on("error", () => socket.destroy());
    });
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.#watchers.clear();
    this.#server.close();
    await once(this.#server, "close");
  }

  put(name: string, fields: Readonly<Record<string, unknown>> = {}): KubeObject {
    const known = this.#objects.get(name);
    const object: KubeObject = {
      apiVersion: "v1",
      kind: "Widget",
      ...fields,
      metadata: {
        name,
        namespace: "default",
        uid: known?.metadata.uid ?? `uid-${++this.#uids}`,
        resourceVersion: String(++this.#version),
        managedFields: [{ manager: "test" }],
      },
    };
    this.#objects.set(name, object);
    this.#record(known === undefined ? "ADDED" : "MODIFIED", object);
    return object;
  }

  remove(name: string): void {
    const known = this.#objects.get(name);
    if (known === undefined) throw new Error(`no object ${name}`);
    this.#objects.delete(name);
    this.#record("DELETED", { ...known, metadata: { ...known.metadata, resourceVersion: String(++this.#version) } });
  }

  bookmark(): void {
    this.#send({ type: "BOOKMARK", object: { metadata: { resourceVersion: this.version } } });
  }

  /** Sends raw bytes down every watch. */
  write(text: string): void {
    for (const response of this.#watchers) response.write(text);
  }

  endWatches(): void {
    for (const response of this.#watchers) response.end();
    this.#watchers.clear();
  }

  resetWatches(): void {
    for (const response of this.#watchers) this.#raw.get(response.socket?.remotePort ?? 0)?.resetAndDestroy();
    this.#watchers.clear();
  }

  /** The sockets of all watches stay open and nothing is ever sent again. */
  silenceWatches(): void {
    this.#watchers.clear();
  }

  /** The version grows by something that happened elsewhere; negative: the data were restored from a backup. */
  skip(versions: number): void {
    this.#version += versions;
    if (versions < 0) this.#history.length = 0;
  }

  #record(type: Change["type"], object: KubeObject): void {
    this.#history.push({ version: this.#version, type, object });
    this.#send({ type, object });
  }

  #send(event: unknown): void {
    for (const response of this.#watchers) response.write(`${JSON.stringify(event)}\n`);
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    this.requests.push(`${request.method} ${request.url}`);
    const scripted = this.guard?.(request) ?? this.script.shift();
    if (scripted !== undefined) {
      scripted(request, response);
      return;
    }
    const url = new URL(request.url ?? "/", "http://server");
    if (request.method !== "GET") this.#echo(request, response);
    else if (url.searchParams.get("watch") === "true") this.#watch(url, response);
    else if (url.pathname.endsWith("/widgets")) this.#list(url, response);
    else this.#get(url, response);
  }

  #echo(request: IncomingMessage, response: ServerResponse): void {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => {
      this.bodies.push(body);
      response.setHeader("content-type", "application/json");
      response.end(body);
    });
  }

  #get(url: URL, response: ServerResponse): void {
    const object = this.#objects.get(url.pathname.split("/").at(-1) ?? "");
    if (object === undefined) answerStatus(404, "NotFound")({} as IncomingMessage, response);
    else {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(object));
    }
  }

  /** Pages end at `limit`; the continue token is the index of the next item. */
  #list(url: URL, response: ServerResponse): void {
    const start = Number(url.searchParams.get("continue") ?? 0);
    const limit = Number(url.searchParams.get("limit") ?? 1_000_000);
    const all = this.objects();
    const next = start + limit < all.length ? String(start + limit) : "";
    response.setHeader("content-type", "application/json");
    const metadata = { resourceVersion: this.version, continue: next };
    response.end(JSON.stringify({ kind: "WidgetList", metadata, items: all.slice(start, start + limit) }));
  }

  #watch(url: URL, response: ServerResponse): void {
    const streaming = url.searchParams.get("sendInitialEvents") === "true";
    if (streaming && !this.streamingLists) {
      answerStatus(422, "Invalid")({} as IncomingMessage, response);
      return;
    }
    response.writeHead(200, { "content-type": "application/json" });
    response.flushHeaders();
    const send = (event: unknown): void => void response.write(`${JSON.stringify(event)}\n`);
    const from = Number(url.searchParams.get("resourceVersion") ?? 0);
    if (streaming) {
      for (const object of this.objects()) send({ type: "ADDED", object });
      const annotations = { "k8s.io/initial-events-end": "true" };
      send({ type: "BOOKMARK", object: { metadata: { resourceVersion: this.version, annotations } } });
    } else if (from < this.compacted) {
      send({ type: "ERROR", object: status(410, "Expired", "too old resource version") });
      response.end();
      return;
    } else {
      for (const { version, type, object } of this.#history) if (version > from) send({ type, object });
    }
    this.#watchers.add(response);
    response.on("close", () => this.#watchers.delete(response));
  }
}
