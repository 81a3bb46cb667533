import type { ServerResponse } from "node:http";
import type { Clock, Logger } from "@capstan/contract";
import type { FaultPlan } from "../faults/fault-plan.ts";
import type { FaultAction } from "../faults/fault.ts";
import { Refusal } from "../http/refusal.ts";
import type { HttpAnswer, Service, ServiceRequest } from "../http/service.ts";
import type { Throttle } from "../limits/throttle.ts";
import type { RecordedRequest, RequestLog } from "../requests/request-log.ts";
import { jsonIfPossible } from "../text/lenient-text.ts";

/** A service with its planned faults, its throttle and the log of its requests. */
export interface ServedService {
  readonly service: Service;
  readonly faults: FaultPlan;
  readonly requests: RequestLog;
  readonly throttle: Throttle;
}

export interface ExchangeOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Delay before every answer. */
  readonly latencyMs: number;
}

type Entry = Omit<RecordedRequest, "status" | "violation" | "reason">;

/** One request and its answer. */
export class Exchange {
  readonly #request: ServiceRequest;
  readonly #response: ServerResponse;
  readonly #served: ServedService;
  readonly #options: ExchangeOptions;
  readonly #entry: Entry;

  constructor(request: ServiceRequest, response: ServerResponse, served: ServedService, options: ExchangeOptions) {
    this.#request = request;
    this.#response = response;
    this.#served = served;
    this.#options = options;
    this.#entry = entryOf(request, served.service, options.clock.now());
  }

  async run(signal: AbortSignal): Promise<void> {
    const { service, faults, throttle } = this.#served;
    const { clock, latencyMs } = this.#options;
    const { method, path } = this.#entry;
    const fault = faults.next({ method, path, body: () => jsonIfPossible(Buffer.from(this.#request.body).toString()) });
    const waitMs = latencyMs + (fault?.kind === "delay" ? fault.ms : 0);
    if (waitMs > 0) await clock.sleep(waitMs, { signal });
    if (fault?.kind === "reset") return this.#break();
    if (fault?.kind === "html") return this.#reply(pageOf(fault.status ?? 502), { reason: "planned fault" });
    if (fault?.kind === "status") {
      const { status, reason = "planned fault", headers = {}, body } = fault;
      const worded = service.refuse(new Refusal(status, reason, { code: fault.code }), this.#request);
      const answer = { ...worded, headers: { ...worded.headers, ...headers }, body: body ?? worded.body };
      return this.#reply(answer, { reason });
    }
    const excess = throttle.take(method, clock.now());
    if (excess !== undefined) return this.refuse(excess);
    const isOperationFault = fault?.kind === "operation-failed" || fault?.kind === "operation-vanishes";
    const { refusal, ...answer } = await service.answer(this.#request, isOperationFault ? fault : undefined);
    if (fault?.kind === "lost-answer") return this.#break();
    if (fault?.kind === "other-answer") return this.#reply(otherAnswer(fault), { reason: "planned fault" });
    if (fault?.kind === "truncated") return this.#truncate(answer, fault.bytes);
    this.#reply(answer, { reason: refusal?.message, violation: refusal?.violation });
  }

  refuse(refusal: Refusal): void {
    const worded = this.#served.service.refuse(refusal, this.#request);
    this.#reply(worded, { reason: refusal.message, violation: refusal.violation });
  }

  #break(): void {
    this.#record(undefined, { reason: "connection broken" });
    this.#response.socket?.resetAndDestroy();
  }

  #truncate(answer: HttpAnswer, bytes: number | undefined): void {
    const body = Buffer.from(answer.body);
    const sent = body.subarray(0, bytes ?? Math.floor(body.length / 2));
    const headers = { ...answer.headers, "content-length": String(body.length) };
    this.#record(answer.status, { reason: "answer truncated" });
    this.#response.writeHead(answer.status, this.#dated(headers));
    this.#response.write(sent, () => this.#response.socket?.destroy());
  }

  #reply(
    answer: HttpAnswer,
    outcome: { readonly reason?: string | undefined; readonly violation?: boolean | undefined },
  ): void {
    this.#response.writeHead(answer.status, this.#dated(answer.headers));
    this.#response.end(answer.body);
    this.#record(answer.status, outcome);
  }

  /** Clients correct their clocks by this header; it must agree with the clock that signatures are checked against. */
  #dated(headers: HttpAnswer["headers"]): HttpAnswer["headers"] {
    return { date: new Date(this.#options.clock.now()).toUTCString(), ...headers };
  }

  #record(
    status: number | undefined,
    { reason, violation = false }: { readonly reason?: string | undefined; readonly violation?: boolean | undefined },
  ): void {
    const entry = { ...this.#entry, status, ...(reason === undefined ? {} : { reason }), violation };
    const { method, path } = entry;
    if (violation) this.#options.log.warn("request refused as unknown to the API", { method, path, status, reason });
    this.#served.requests.record(entry);
  }
}

const entryOf = (request: ServiceRequest, service: Service, at: number): Entry => {
  const { path, family, query, body } = service.describe(request);
  const { "user-agent": userAgent, "if-match": ifMatch } = request.headers;
  return {
    at,
    method: request.method,
    path,
    family,
    ...(query === undefined || query === "" ? {} : { query }),
    ...(userAgent === undefined ? {} : { userAgent }),
    ...(ifMatch === undefined ? {} : { ifMatch }),
    ...(body === undefined ? {} : { body }),
  };
};

const otherAnswer = (fault: Extract<FaultAction, { readonly kind: "other-answer" }>): HttpAnswer => ({
  status: fault.status ?? 200,
  headers: { "content-type": fault.contentType ?? "application/json" },
  body: fault.body,
});

/** The error page of a gateway. */
const pageOf = (status: number): HttpAnswer => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: `<!DOCTYPE html>\n<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>\n`,
});
