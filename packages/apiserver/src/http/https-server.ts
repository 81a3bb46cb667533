import { once } from "node:events";
import { createServer, type Server, type ServerOptions } from "node:https";
import { type IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { CapstanError } from "@capstan/contract";
import type { Upgrade } from "../streams/web-socket-transport.ts";

export interface HttpsServerOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly certificate: string;
  readonly key: string;
  /** PEM bundle of the authorities whose client certificates are read. */
  readonly clientCA: string;
  /**
   * Resolves when the answer is complete, not when it has left. `upgrade` is given for requests of `upgrades`; unless it is used, the
   * connection is closed after the answer.
   */
  readonly handle: (request: IncomingMessage, response: ServerResponse, upgrade?: Upgrade) => Promise<void>;
  /** Which requests may turn their connection into another protocol, as they ask for. Default: none may. */
  readonly upgrades?: (request: IncomingMessage) => boolean;
  /** Timeouts for slow and idle clients. Default `patience`. */
  readonly patience?: Patience;
}

/** Timeouts in milliseconds. Clients that exceed one are disconnected. */
export interface Patience {
  /** For a TLS handshake. */
  readonly handshakeMs: number;
  /** For sending a whole request. */
  readonly requestMs: number;
  /** Without taking anything of an answer that is complete. */
  readonly answerMs: number;
  /** Between two requests on one connection. */
  readonly idleMs: number;
}

/**
 * Idle connections are kept longer than any client keeps them (Go's 90 s is the longest that is common): a request that is sent while
 * the server closes its connection fails with an end of file, and clients repeat it only when it cannot have changed anything.
 */
export const patience: Patience = { handshakeMs: 10_000, requestMs: 60_000, answerMs: 60_000, idleMs: 180_000 };

export interface RunningServer {
  readonly port: number;
  /** Stops accepting, lets running requests finish and closes idle connections; resolves when all are closed. */
  close(): Promise<void>;
  /** Cuts every connection. */
  closeNow(): void;
}

const listenFailure = (error: NodeJS.ErrnoException, { host, port }: HttpsServerOptions): Error => {
  const messages: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} on ${host} is taken by another program. Stop that one or choose another port`,
    EACCES: `Port ${port} on ${host} may not be used without privileges. Choose a port above 1023`,
    EADDRNOTAVAIL: `This machine has no address ${host}. Choose one that it has`,
  };
  return new CapstanError({
    code: error.code === "EADDRINUSE" ? "apiserver.port_taken" : "apiserver.listen_failed",
    reason: error.code === "EADDRINUSE" ? "PortTaken" : "ListenFailed",
    message: messages[error.code ?? ""] ?? `The server cannot listen on ${host}:${port}: ${error.message}`,
    retry: { kind: "never" },
    cause: error,
  });
};

const listen = (server: Server, options: HttpsServerOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", (error) => reject(listenFailure(error, options)));
    server.listen({ host: options.host, port: options.port }, resolve);
  });

/** The peer's end: what a TCP connection and the TLS connection on it have in common. */
const peer = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress ?? ""} ${remotePort ?? ""}`;

/** Requests on one connection that may wait for the answer to the one before. */
const mostWaiting = 1_000;

/**
 * Which connections are open, also without a handshake yet, and the answer that each is working on. A client may send many requests
 * without reading an answer; only one of them is worked on, so that one answer waits for the client and not all of them.
 */
class Connections {
  readonly #open = new Set<Socket>();
  readonly #busy = new Map<string, ServerResponse>();
  readonly #waiting = new WeakMap<Socket, number>();
  #isClosing = false;

  add(socket: Socket): void {
    if (this.#isClosing) {
      socket.destroy();
      return;
    }
    this.#open.add(socket);
    socket.once("close", () => this.#open.delete(socket));
  }

  /**
   * Resolves when the answers to earlier requests on the connection have left: with true when this one is to be worked on, with false
   * when its connection is closed instead. Until its answer is complete the connection then stays open.
   */
  async begin(socket: Socket, response: ServerResponse): Promise<boolean> {
    if (response.socket === null) {
      await this.#turn(socket, response);
    }
    if (socket.destroyed || response.destroyed) {
      return false;
    }
    if (this.#isClosing) {
      socket.destroySoon();
      return false;
    }
    this.#hold(socket, response);
    return true;
  }

  /** Returns whether an answer on the connection has not left yet. */
  isBusy(socket: Socket): boolean {
    return this.#busy.has(peer(socket));
  }

  async #turn(socket: Socket, response: ServerResponse): Promise<void> {
    const waiting = this.#waiting.get(socket) ?? 0;
    if (waiting >= mostWaiting) {
      socket.destroy();
      return;
    }
    this.#waiting.set(socket, waiting + 1);
    await Promise.race([once(response, "socket"), once(response, "close")]);
    this.#waiting.set(socket, (this.#waiting.get(socket) ?? 1) - 1);
  }

  #hold(socket: Socket, response: ServerResponse): void {
    const key = peer(socket);
    this.#busy.set(key, response);
    response.once("close", () => {
      if (this.#busy.get(key) === response) {
        this.#busy.delete(key);
      }
      if (this.#isClosing) {
        socket.destroySoon();
      }
    });
  }

  /** Closes idle connections now and each other one after its answer. */
  close(): void {
    this.#isClosing = true;
    for (const socket of this.#open) {
      if (!this.isBusy(socket)) {
        socket.destroy();
      }
    }
  }

  closeNow(): void {
    for (const socket of this.#open) {
      socket.destroy();
    }
  }
}

const serverSettings = (options: HttpsServerOptions): ServerOptions => {
  const { handshakeMs, requestMs, idleMs } = options.patience ?? patience;
  return {
    cert: options.certificate,
    key: options.key,
    ca: options.clientCA,
    requestCert: true,
    rejectUnauthorized: false,
    ALPNProtocols: ["http/1.1"],
    keepAliveTimeout: idleMs,
    handshakeTimeout: handshakeMs,
    requestTimeout: requestMs,
    headersTimeout: requestMs,
    connectionsCheckingInterval: requestMs / 4,
    noDelay: true,
    shouldUpgradeCallback: options.upgrades ?? (() => false),
  };
};

/** Returns a response over the connection of a request for another protocol, to refuse it; the connection ends with the response. */
const responseOver = (socket: Socket, request: IncomingMessage): ServerResponse => {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once("finish", () => socket.destroySoon());
  return response;
};

/** Serves HTTP/1.1 over TLS. Throws `apiserver.port_taken` or `apiserver.listen_failed`. */
export const startHttpsServer = async (options: HttpsServerOptions): Promise<RunningServer> => {
  const connections = new Connections();
  const { answerMs } = options.patience ?? patience;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!(await connections.begin(request.socket, response))) {
      return;
    }
    // What the answer before was given ends with it.
    request.socket.setTimeout(0);
    await options.handle(request, response);
    if (!response.writableFinished) {
      // Ends when the answer has left: then the connection waits for the next request.
      request.socket.setTimeout(answerMs);
    }
  };
  const serveUpgrade = async (request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> => {
    socket.on("error", () => socket.destroy());
    if (connections.isBusy(socket)) {
      socket.destroy();
      return;
    }
    socket.setTimeout(0);
    await options.handle(request, responseOver(socket, request), { socket, head });
  };
  const server = createServer(serverSettings(options), (request, response) => void serve(request, response));
  server.on("upgrade", (request, socket, head) => void serveUpgrade(request, socket as Socket, head));
  server.on("connection", (socket) => connections.add(socket as Socket));
  await listen(server, options);
  // A failed handshake is the client's affair and is answered by closing the connection.
  server.on("tlsClientError", (_error, socket) => socket.destroy());
  const closed = Promise.withResolvers<void>();
  server.once("close", () => closed.resolve());
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      connections.close();
      return closed.promise;
    },
    closeNow: () => connections.closeNow(),
  };
};
