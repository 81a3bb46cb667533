import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "@capstan/contract";
import type { ObjectStoreServerV1 } from "@capstan/contract/v1";
import { answer } from "./answer.ts";
import { cannotListen } from "./errors.ts";
import type { LocalFolder } from "./local-folder.ts";
import { standardBucket, type LocalObjectStoreOptions } from "./options.ts";

/** Against clients that send slowly, or nothing. */
const limits = { headersTimeout: 10_000, requestTimeout: 60_000, keepAliveTimeout: 5000, maxHeaderSize: 16_384 };
const maxConnections = 1024;

/** Serves the objects of a folder to those who have a signed URL. */
export class LocalStoreServer implements ObjectStoreServerV1 {
  readonly #folder: LocalFolder;
  readonly #options: LocalObjectStoreOptions;
  readonly #log: Logger;
  readonly #serving = new Set<Promise<void>>();
  #server: Server | undefined;
  #url = "";

  constructor(folder: LocalFolder, options: LocalObjectStoreOptions) {
    this.#folder = folder;
    this.#options = options;
    this.#log = options.log;
  }

  get url(): string {
    return this.#url;
  }

  get description(): string {
    const address = this.#folder.address();
    const reached = address === undefined || address === this.#url ? "" : `, for machines ${address}`;
    return `local object store at ${this.#url}${reached}`;
  }

  readonly secretData = { type: "local", bucket: standardBucket };

  /** Throws `objectstore.cannot_listen`, and what the folder throws. */
  async start(): Promise<void> {
    await this.#folder.prepare();
    const { address, listen = { host: "127.0.0.1", port: 0 }, tls } = this.#options;
    const server = await this.#create();
    server.maxConnections = maxConnections;
    await new Promise<void>((resolve, reject) => {
      const refused = (cause: Error): void => reject(cannotListen(listen.host, listen.port, cause));
      server.once("error", refused);
      server.listen(listen.port, listen.host, () => {
        server.off("error", refused);
        resolve();
      });
    });
    this.#server = server;
    const { port } = server.address() as AddressInfo;
    const host = listen.host.includes(":") ? `[${listen.host}]` : listen.host;
    this.#url = `${tls === undefined ? "http" : "https"}://${host}:${port}`;
    if (address === undefined) this.#folder.serveAt(this.#url);
    if (address?.startsWith("http:") === true) {
      this.#log.warn("machines fetch bootstrap data, including secrets, over plain HTTP", { address });
    }
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    server.closeAllConnections();
    await closed;
    await Promise.all(this.#serving);
  }

  /** Node's servers are loaded by who serves. */
  async #create(): Promise<Server> {
    const serve = (request: IncomingMessage, response: ServerResponse): void => {
      const serving = answer(request, response, this.#folder).catch((error: unknown) =>
        this.#broke(response, error as NodeJS.ErrnoException),
      );
      this.#serving.add(serving);
      void serving.then(() => this.#serving.delete(serving));
    };
    const { tls } = this.#options;
    if (tls === undefined) return (await import("node:http")).createServer(limits, serve);
    const { certificate: cert, key } = tls;
    return (await import("node:https")).createServer({ ...limits, cert, key }, serve);
  }

  #broke(response: ServerResponse, { code, message }: NodeJS.ErrnoException): void {
    // Who hangs up is no failure of this side.
    if (code === "ERR_STREAM_PREMATURE_CLOSE" || code === "ECONNRESET") return;
    this.#log.error("the local object store failed", { error: code ?? message });
    if (response.headersSent) response.destroy();
    else response.writeHead(503, { "retry-after": "5", connection: "close" }).end();
  }
}
