import type { Clock, Logger } from "@capstan/contract";
import type { OperationFault } from "../faults/fault.ts";
import { Refusal, violation } from "../http/refusal.ts";
import type { HttpAnswer, Service, ServiceAnswer, ServiceRequest } from "../http/service.ts";
import type { Budget, RateLimiter } from "../limits/rate-limit.ts";
import { redaction } from "../requests/redaction.ts";
import { readInput } from "./read-input.ts";
import { Reply } from "./reply.ts";
import { type Matched, RouteTable } from "./route-table.ts";
import type { Route } from "./route.ts";
import type { Fields } from "./shape.ts";

type Headers = Readonly<Record<string, string>>;

/** A request whose route is known, for `admit`. */
export interface Admission<W> extends ServiceRequest {
  readonly route: Route<W>;
  readonly params: Readonly<Record<string, string>>;
}

/** Services of the simulation that an API needs. */
export interface ApiCloud {
  readonly clock: Clock;
  readonly log: Logger;
  /** Called before a request that may have changed something is answered. */
  save(): Promise<void>;
}

/** A vendor's API: its routes and its peculiarities. */
export interface ApiDefinition<W> {
  readonly routes: readonly Route<W>[];
  /** World that the handlers work on. */
  readonly world: W;
  /** The simulation that it belongs to. */
  readonly cloud: ApiCloud;
  /** Which requests belong to it, when a server has several services. Default: all. */
  readonly owns?: (request: ServiceRequest) => boolean;
  /** Makes the path that routes, faults and the log use from the one that was sent. May throw a `Refusal`. Default: unchanged. */
  readonly pathOf?: (path: string) => string;
  /**
   * Returns the operation's form for a request, for example in another version of the API; `undefined` if it does not
   * have it. Default: unchanged.
   */
  readonly variant?: (route: Route<W>, request: ServiceRequest) => Route<W> | undefined;
  /** True if the letter case of paths does not matter. Default false. */
  readonly anyCase?: boolean;
  /** Query parameters that every route takes. */
  readonly query?: Fields;
  /** Headers that only those routes take that list them. */
  readonly headers?: readonly string[];
  /** Identifies the caller; throws a `Refusal` for wrong credentials. Default: everybody is admitted, with an empty name. */
  readonly admit?: (request: Admission<W>) => string;
  readonly limiter?: RateLimiter;
  /** Headers that report the budget. Refusals get a `retry-after` as well. Default: none. */
  readonly budgetHeaders?: (budget: Budget) => Headers;
  /** Headers of every answer. */
  readonly answerHeaders?: (request?: ServiceRequest) => Headers;
  /** The body, as JSON, in which the vendor words a refusal; as a `Reply` to change status and headers too. */
  readonly wordRefusal: (refusal: Refusal) => unknown;
  /** Names of fields and query parameters that the request log must not keep. */
  readonly secrets?: readonly string[];
  readonly maxBodyBytes?: number;
  /** True if its handlers act on `request.fault`. Default false. */
  readonly operations?: boolean;
}

/** A vendor's API as a service: strict routes, credentials, rate limits, errors in the vendor's words, state saved before the answer. */
export const apiService = <W>(definition: ApiDefinition<W>): Service => {
  const { owns, maxBodyBytes, operations, pathOf = (path: string) => path } = definition;
  const table = new RouteTable(definition.routes, { anyCase: definition.anyCase ?? false });
  const redact = redaction(definition.secrets ?? []);
  const describe: Service["describe"] = ({ method, path, query, headers, body }) => {
    const named = orElse(() => pathOf(path), path);
    return {
      path: named,
      family: orElse(() => table.match(method, named).family, undefined),
      query: redact.query(query),
      body: redact.body(body, headers["content-type"]),
    };
  };
  return {
    describe,
    answer: (request, fault) =>
      new Call(definition, request, fault).answer(() => table.match(request.method, pathOf(request.path))),
    refuse: (refusal, request) => wordRefusal(definition, refusal, request),
    ...(owns === undefined ? {} : { owns }),
    ...(maxBodyBytes === undefined ? {} : { maxBodyBytes }),
    ...(operations === undefined ? {} : { operations }),
  };
};

/** Returns the result of `read`, or `other` when it throws a refusal. */
const orElse = <T>(read: () => T, other: T): T => {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) return other;
    throw error;
  }
};

/** One request on its way through an API. */
class Call<W> {
  readonly #definition: ApiDefinition<W>;
  readonly #request: ServiceRequest;
  readonly #fault: OperationFault | undefined;
  /** Headers that also refusals have. */
  #headers: Headers = {};

  constructor(definition: ApiDefinition<W>, request: ServiceRequest, fault: OperationFault | undefined) {
    this.#definition = definition;
    this.#request = request;
    this.#fault = fault;
  }

  async answer(match: () => Matched<W>): Promise<ServiceAnswer> {
    try {
      const value = await this.#run(this.#variant(match()));
      if (this.#request.method !== "GET" && this.#request.method !== "HEAD") await this.#definition.cloud.save();
      const answer = value instanceof Reply ? value : new Reply(200, value ?? {});
      return answerOf(answer, { ...this.#definition.answerHeaders?.(this.#request), ...this.#headers });
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal(500, "Internal server error");
      if (refusal !== error) this.#definition.cloud.log.error("simulated API failed", { error: String(error) });
      const { headers, ...answer } = wordRefusal(this.#definition, refusal, this.#request);
      return { ...answer, headers: { ...this.#headers, ...headers }, refusal };
    }
  }

  #variant(matched: Matched<W>): Matched<W> {
    const { variant } = this.#definition;
    if (variant === undefined) return matched;
    const route = variant(matched.route, this.#request);
    if (route !== undefined) return { ...matched, route };
    throw violation(`${this.#request.path} is not a path of this API`, undefined, "UnknownPath");
  }

  async #run({ route, params, family }: Matched<W>): Promise<unknown> {
    const definition = this.#definition;
    const caller = definition.admit?.({ ...this.#request, route, params }) ?? "";
    this.#take(caller, family);
    const { serverUrl, headers } = this.#request;
    const input = readInput(this.#request, route, definition);
    // The request was just checked against the declarations that its handler is typed by.
    const request = { params, ...input, headers, caller, serverUrl, fault: this.#fault } as never;
    return route.handle(request, definition.world);
  }

  #take(caller: string, family: string): void {
    const { limiter, budgetHeaders, cloud } = this.#definition;
    const budget = limiter?.take({ caller, family, path: this.#request.path }, cloud.clock.now());
    if (budget === undefined) return;
    this.#headers = budgetHeaders?.(budget) ?? {};
    if (budget.allowed) return;
    const headers = { "retry-after": String(budget.retryAfterSeconds ?? 1) };
    throw new Refusal(429, "Too many requests", { code: "TooManyRequests", headers });
  }
}

const wordRefusal = (
  { answerHeaders, wordRefusal: word }: Pick<ApiDefinition<never>, "answerHeaders" | "wordRefusal">,
  refusal: Refusal,
  request: ServiceRequest | undefined,
): HttpAnswer => {
  const worded = word(refusal);
  const answer = worded instanceof Reply ? worded : new Reply(refusal.status, worded);
  return answerOf(answer, { ...answerHeaders?.(request), ...refusal.headers });
};

const answerOf = ({ status, body, headers }: Reply, more: Headers): HttpAnswer => {
  if (body === undefined) return { status, headers: { ...more, ...headers }, body: "" };
  if (typeof body === "string" || body instanceof Uint8Array) return { status, headers: { ...more, ...headers }, body };
  return {
    status,
    headers: { "content-type": "application/json", ...more, ...headers },
    body: JSON.stringify(body),
  };
};
