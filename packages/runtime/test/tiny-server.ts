import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { KubeObject } from "@capstan/schema";

const collection = /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)(?:\/namespaces\/([^/]+))?\/([a-z]+)(?:\/([^/]+))?(\/status)?$/;

interface Stored {
  readonly plural: string;
  readonly object: KubeObject;
}

/** A collection; without a namespace, of all of them. */
interface Watched {
  readonly plural: string;
  readonly namespace: string;
}

const isPart = (watched: Watched, plural: string, { metadata }: Partial<KubeObject>): boolean =>
  watched.plural === plural && (watched.namespace === "" || watched.namespace === metadata?.namespace);

/** Just enough of an API server to run a manager against: create, read, update, merge-patch at the top level, delete, watch. */
export class TinyServer {
  readonly requests: string[] = [];
  /** Collections that are answered with 404. */
  readonly missing = new Set<string>();
  readonly #stored = new Map<string, Stored>();
  readonly #watchers = new Map<ServerResponse, Watched>();
  readonly #server = createServer((request, response) => void this.#handle(request, response));
  #version = 1;

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(): Promise<this> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  find(plural: string, namespace: string, name: string) {
    return this.#stored.get(`${plural}/${namespace}/${name}`)?.object;
  }

  put(plural: string, object: KubeObject): KubeObject {
    const { namespace = "", name = "" } = object.metadata;
    const key = `${plural}/${namespace}/${name}`;
    const known = this.#stored.get(key)?.object;
    const version = String(++this.#version);
    const uid = known?.metadata.uid ?? `uid-${version}`;
    const stored = { ...object, metadata: { ...object.metadata, uid, resourceVersion: version } };
    this.#stored.set(key, { plural, object: stored });
    this.#notify(plural, known === undefined ? "ADDED" : "MODIFIED", stored);
    return stored;
  }

  remove(plural: string, namespace: string, name: string): void {
    const known = this.find(plural, namespace, name);
    this.#stored.delete(`${plural}/${namespace}/${name}`);
    const metadata = { ...known?.metadata, resourceVersion: String(++this.#version) };
    this.#notify(plural, "DELETED", { ...known, metadata });
  }

  #notify(plural: string, type: string, object: Partial<KubeObject>): void {
    for (const [response, watched] of this.#watchers) {
      if (isPart(watched, plural, object)) response.write(`${JSON.stringify({ type, object })}\n`);
    }
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests.push(`${request.method} ${request.url}`);
    const url = new URL(request.url ?? "/", "http://server");
    const [, namespace = "", plural = "", name] = collection.exec(url.pathname) ?? [];
    if (this.missing.has(plural)) {
      response.writeHead(404).end();
      return;
    }
    if (url.searchParams.get("watch") === "true") {
      this.#watch({ plural, namespace }, url, response);
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = chunks.length === 0 ? undefined : (JSON.parse(Buffer.concat(chunks).toString()) as KubeObject);
    const [code, answer] = this.#answer(request.method ?? "GET", plural, namespace, name, body);
    response.writeHead(code, { "content-type": "application/json" });
    response.end(JSON.stringify(answer));
  }

  #answer(
    method: string,
    plural: string,
    namespace: string,
    name: string | undefined,
    body?: KubeObject,
  ): [number, unknown] {
    if (method === "POST" && body !== undefined) {
      return this.find(plural, namespace, body.metadata.name ?? "") === undefined
        ? [201, this.put(plural, body)]
        : [409, { kind: "Status", code: 409, reason: "AlreadyExists" }];
    }
    const known = this.find(plural, namespace, name ?? "");
    if (known === undefined) return [404, { kind: "Status", code: 404, reason: "NotFound" }];
    if (method === "GET") return [200, known];
    if (method === "DELETE") {
      this.remove(plural, namespace, name ?? "");
      return [200, { kind: "Status", status: "Success", details: { uid: known.metadata.uid } }];
    }
    const wanted = body?.metadata?.resourceVersion;
    if (wanted !== undefined && wanted !== known.metadata.resourceVersion) {
      return [409, { kind: "Status", code: 409, reason: "Conflict" }];
    }
    return [
      200,
      this.put(plural, method === "PUT" ? (body ?? known) : { ...known, ...body, metadata: known.metadata }),
    ];
  }

  #watch(watched: Watched, url: URL, response: ServerResponse): void {
    response.writeHead(200, { "content-type": "application/json" });
    response.flushHeaders();
    if (url.searchParams.get("sendInitialEvents") === "true") {
      const send = (type: string, object: unknown): void =>
        void response.write(`${JSON.stringify({ type, object })}\n`);
      for (const { plural, object } of this.#stored.values()) {
        if (isPart(watched, plural, object)) send("ADDED", object);
      }
      const annotations = { "k8s.io/initial-events-end": "true" };
      send("BOOKMARK", { metadata: { resourceVersion: String(this.#version), annotations } });
    }
    this.#watchers.set(response, watched);
    response.on("close", () => this.#watchers.delete(response));
  }
}
