import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock, Logger } from "@capstan/contract";
import type { FaultPlan } from "./faults.ts";
import type { RecordedRequest, RequestLog } from "./requests.ts";

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string;
}

/** One of the simulator's interfaces: how it names a request, answers it, and words a planned failure. */
export interface HttpInterface {
  /** Path for faults and the log; `family` is set once a route is known. */
  readonly describe: (request: IncomingMessage) => { readonly path: string; readonly family: string | undefined };
  readonly answer: (
    request: IncomingMessage,
    body: Uint8Array,
  ) => Promise<HttpAnswer & { readonly violation: boolean; readonly reason?: string }>;
  readonly failure: (status: number, reason: string) => HttpAnswer;
}

interface Options {
  readonly clock: Clock;
  readonly log: Logger;
  readonly faults: FaultPlan;
  readonly requests: RequestLog;
  /** Before every answer. */
  readonly latencyMs: number;
}

/** Serves one interface on loopback: faults, latency and the request log are the same for all. */
export class SimulatedServer {
  readonly #server: Server;
  readonly #interface: HttpInterface;
  readonly #options: Options;
  #port = 0;

  constructor(served: HttpInterface, options: Options) {
    this.#interface = served;
    this.#options = options;
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        options.log.error("simulator failed", { path: request.url?.split("?", 1)[0], error: String(error) });
        response.destroy();
      });
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, "127.0.0.1", resolve);
    });
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const method = request.method ?? "GET";
    const { path, family } = this.#interface.describe(request);
    const entry = { at: this.#options.clock.now(), method, path, family };
    const fault = this.#options.faults.next(method, path);
    const waitMs = this.#options.latencyMs + (fault?.kind === "delay" ? fault.ms : 0);
    if (waitMs > 0) await this.#options.clock.sleep(waitMs);
    if (fault?.kind === "reset") return this.#break(response, entry);
    if (fault?.kind === "status") {
      const reason = fault.reason ?? "planned fault";
      const answer = this.#interface.failure(fault.status, reason);
      const headers = { ...answer.headers, ...fault.headers };
      return this.#reply(
        response,
        { ...answer, headers },
        { ...entry, status: fault.status, reason, violation: false },
      );
    }
    const { violation, reason, ...answer } = await this.#interface.answer(request, body);
    if (fault?.kind === "lost-answer") return this.#break(response, entry);
    const { status } = answer;
    this.#reply(response, answer, { ...entry, status, ...(reason === undefined ? {} : { reason }), violation });
  }

  #break(response: ServerResponse, entry: Pick<RecordedRequest, "at" | "method" | "path" | "family">): void {
    this.#options.requests.record({ ...entry, status: undefined, reason: "connection broken", violation: false });
    response.socket?.resetAndDestroy();
  }

  #reply(response: ServerResponse, answer: HttpAnswer, entry: RecordedRequest): void {
    if (entry.violation) this.#options.log.warn("request refused as unknown to the API", { ...entry });
    // Clients correct their clocks by this header; it must agree with the clock signatures are checked against.
    response.writeHead(answer.status, { date: new Date(this.#options.clock.now()).toUTCString(), ...answer.headers });
    response.end(answer.body);
    this.#options.requests.record(entry);
  }
}

const readBody = async (request: IncomingMessage): Promise<Uint8Array> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/** Header names in lower case, repeated ones joined. */
export const flatHeaders = (request: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === "string" ? value : value.join(",")]],
    ),
  );
