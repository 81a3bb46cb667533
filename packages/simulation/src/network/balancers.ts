import { connect, createServer } from "node:net";
import type { Server, Socket } from "node:net";
import type { Logger } from "@capstan/contract";
import { Refusal } from "../http/refusal.ts";

/** One machine behind a balanced port. */
export interface Backend {
  /** What its health is asked for by. */
  readonly id: string;
  readonly host: string;
  readonly port: number;
}

/** A balanced port. */
export interface Frontend {
  /** What it is closed by. */
  readonly id: string;
  readonly host: string;
  readonly port: number;
  /** Asked at every connection. */
  readonly backends: () => readonly Backend[];
}

export type BackendHealth = "unknown" | "up" | "down";

interface Open {
  readonly server: Server;
  readonly sockets: Set<Socket>;
  turn: number;
}

/** The data plane of load balancers: really accepts TCP connections and forwards them to the machines. */
export class Balancers {
  readonly #open = new Map<string, Open>();
  readonly #health = new Map<string, BackendHealth>();
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** What the last connection to the backend showed. */
  health(backend: string): BackendHealth {
    return this.#health.get(backend) ?? "unknown";
  }

  /** Throws a `Refusal` when the port cannot be had on this computer. */
  async open(frontend: Frontend): Promise<void> {
    const server = createServer({ pauseOnConnect: true });
    const open: Open = { server, sockets: new Set(), turn: 0 };
    server.on("connection", (client) => this.#accept(client, frontend, open));
    await new Promise<void>((resolve, reject) => {
      server.once("error", (cause) => {
        reject(new Refusal(500, `cannot listen on ${frontend.host}:${frontend.port}: ${cause.message}`));
      });
      server.listen(frontend.port, frontend.host, resolve);
    });
    this.#open.set(frontend.id, open);
  }

  /** An unknown one is success. */
  async close(frontend: string): Promise<void> {
    const open = this.#open.get(frontend);
    if (open === undefined) return;
    this.#open.delete(frontend);
    for (const socket of open.sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      open.server.close(() => resolve());
    });
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((frontend) => this.close(frontend)));
  }

  #accept(client: Socket, frontend: Frontend, open: Open): void {
    track(open, client);
    client.on("error", (error) => this.#log.debug("balanced connection broke", { error: error.message }));
    const backends = frontend.backends();
    const first = open.turn;
    open.turn += 1;
    this.#try(
      client,
      backends.map((_, index) => backends[(first + index) % backends.length]!),
      open,
    );
  }

  /** Round robin; a backend that refuses is skipped and shows as down. */
  #try(client: Socket, backends: readonly Backend[], open: Open): void {
    const [backend, ...others] = backends;
    if (backend === undefined || client.destroyed) {
      client.destroy();
      return;
    }
    const upstream = connect({ host: backend.host, port: backend.port });
    track(open, upstream);
    const refused = (): void => {
      this.#health.set(backend.id, "down");
      this.#try(client, others, open);
    };
    upstream.once("error", refused);
    upstream.once("connect", () => {
      this.#health.set(backend.id, "up");
      upstream.off("error", refused);
      join(client, upstream);
      client.resume();
    });
  }
}

const track = (open: Open, socket: Socket): void => {
  open.sockets.add(socket);
  socket.once("close", () => open.sockets.delete(socket));
};

const join = (client: Socket, upstream: Socket): void => {
  upstream.on("error", () => client.destroy());
  client.on("error", () => upstream.destroy());
  client.once("close", () => upstream.destroy());
  upstream.once("close", () => client.destroy());
  client.pipe(upstream).pipe(client);
};
