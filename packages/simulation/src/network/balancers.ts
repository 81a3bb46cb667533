import { Refusal } from "../http/refusal.ts";
import { forwardTcp, type TcpAddress, type TcpForward } from "./tcp-forward.ts";

/** One machine behind a balanced port. */
export interface Backend extends TcpAddress {
  /** Id by which its health is queried. */
  readonly id: string;
}

/** A balanced port. */
export interface Frontend extends TcpAddress {
  /** Id by which it is closed. */
  readonly id: string;
  /** Asked at every connection. */
  readonly backends: () => readonly Backend[];
}

export type BackendHealth = "unknown" | "up" | "down";

/** The data plane of load balancers: really accepts TCP connections and forwards them to the machines, in turn. */
export class Balancers {
  readonly #open = new Map<string, TcpForward>();
  readonly #health = new Map<string, BackendHealth>();

  /** Returns the health of the backend according to the last connection to it. */
  health(backend: string): BackendHealth {
    return this.#health.get(backend) ?? "unknown";
  }

  /** Throws a `Refusal` when the port cannot be had on this computer. */
  async open({ id, host, port, backends }: Frontend): Promise<void> {
    const tried = (backend: Backend, reached: boolean): void => {
      this.#health.set(backend.id, reached ? "up" : "down");
    };
    try {
      this.#open.set(id, await forwardTcp({ host, port }, backends, tried));
    } catch (cause) {
      throw new Refusal(500, `cannot listen on ${host}:${port}: ${(cause as Error).message}`);
    }
  }

  /** An unknown one is success. */
  async close(frontend: string): Promise<void> {
    const open = this.#open.get(frontend);
    this.#open.delete(frontend);
    await open?.close();
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((frontend) => this.close(frontend)));
  }
}
