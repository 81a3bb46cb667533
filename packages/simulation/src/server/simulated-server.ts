import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { CapstanError } from "@capstan/contract";
import type { CertificateAndKey } from "@capstan/pki";
import { Refusal } from "../http/refusal.ts";
import { Exchange, type ExchangeOptions, type ServedService } from "./exchange.ts";
import { readBody, readHead } from "./read-request.ts";

export interface ServerOptions extends ExchangeOptions {
  /** Begins the codes of errors. */
  readonly simulator: string;
  /** The loopback address to listen at. */
  readonly address: string;
  /** 0: any free one. */
  readonly port: number;
  /** The host in its URL. */
  readonly hostname: string;
  /** Makes the certificate of an HTTPS server as it starts. Without it the server speaks plain HTTP. */
  readonly certificate?: () => Promise<CertificateAndKey>;
}

const defaultMaxBodyBytes = 4 * 1024 ** 2;
/** Longer than clients keep idle connections, so that none is closed under a request. */
const keepAliveTimeout = 120_000;

/** One port on loopback with the services behind it: faults, latency, limits and the request log are the same for all. */
export class SimulatedServer {
  readonly #options: ServerOptions;
  readonly #services: ServedService[] = [];
  readonly #stopping = new AbortController();
  readonly #serving = new Set<Promise<void>>();
  #server: Server | undefined;
  #port = 0;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  /** Known once the server has started; without a trailing slash. */
  get url(): string {
    return `${this.#options.certificate === undefined ? "http" : "https"}://${this.#options.hostname}:${this.#port}`;
  }

  add(service: ServedService): void {
    this.#services.push(service);
  }

  /** Throws `<simulator>.simulator_port` when the port cannot be had. */
  async start(): Promise<void> {
    const { address, certificate, port } = this.#options;
    const serve = (message: IncomingMessage, response: ServerResponse): void => {
      const serving = this.#serve(message, response).catch((error: unknown) => this.#broke(message, response, error));
      this.#serving.add(serving);
      void serving.then(() => this.#serving.delete(serving));
    };
    const pair = await certificate?.();
    const server =
      pair === undefined
        ? createServer({ keepAliveTimeout }, serve)
        : createTlsServer({ keepAliveTimeout, cert: pair.certificate, key: pair.key }, serve);
    await new Promise<void>((resolve, reject) => {
      const refused = (cause: Error): void => reject(cannotListen(this.#options, cause));
      server.once("error", refused);
      server.listen(port, address, () => {
        server.off("error", refused);
        resolve();
      });
    });
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Accepts no more requests, lets those that already have an effect finish, and aborts those that still wait. */
  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    this.#stopping.abort();
    await Promise.all(this.#serving);
    server.closeAllConnections();
    await closed;
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const head = readHead(message, this.url);
    const served = this.#services.find(({ service }) => service.owns?.({ ...head, body: new Uint8Array() }) ?? true);
    if (served === undefined) {
      response.writeHead(404).end();
      return;
    }
    const body = await this.#readBody(message, served.service.maxBodyBytes ?? defaultMaxBodyBytes);
    const request = { ...head, body: body instanceof Refusal ? new Uint8Array() : body };
    const exchange = new Exchange(request, response, served, this.#options);
    if (body instanceof Refusal) exchange.refuse(body);
    else await exchange.run(this.#stopping.signal);
  }

  async #readBody(message: IncomingMessage, maxBytes: number): Promise<Uint8Array | Refusal> {
    const { signal } = this.#stopping;
    const abort = (): void => void message.destroy();
    signal.addEventListener("abort", abort, { once: true });
    try {
      return await readBody(message, maxBytes);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  #broke(message: IncomingMessage, response: ServerResponse, error: unknown): void {
    if (!this.#stopping.signal.aborted) {
      this.#options.log.error("simulator failed", { path: message.url?.split("?", 1)[0], error: String(error) });
    }
    response.destroy();
  }
}

const cannotListen = ({ simulator, address, port }: ServerOptions, cause: Error): CapstanError =>
  new CapstanError({
    code: `${simulator}.simulator_port`,
    reason: "SimulatorPortTaken",
    message: `The simulator cannot listen on ${address}:${port}: ${cause.message}. Stop what listens there, or give it another port.`,
    retry: { kind: "never" },
    cause,
  });
