import type { Clock, Logger, Secret } from "@capstan/contract";
import type { RateGate, RatePass, Turn } from "@capstan/kit";
import { retryAfterMs } from "@capstan/kube-values";
import { armError, azureError, failureIn } from "./arm-error.ts";
import type { ArmAnswer, ArmMethod, Transport } from "./arm-transport.ts";
import type { CountedCall } from "./rate-gate.ts";
import { countedCall, countsOf, refusedOf, saidOf } from "./rate-gate.ts";

/** Arguments of every call. */
export interface ArmCall {
  readonly signal: AbortSignal;
  /** The visit that it is part of. */
  readonly turn?: Turn;
  /** Called when it is sent, after whatever it had to wait for. */
  readonly begun?: () => void;
}

export interface ArmRequest {
  /** Completes "could not …". */
  readonly doing: string;
  readonly apiVersion: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The change is made only if what is there still has this etag. */
  readonly ifMatch?: string;
  /** The change is made only if nothing is there yet, by what keeps etags. Default: false. */
  readonly ifAbsent?: boolean;
}

/** Where tokens for Azure Resource Manager come from. */
export interface TokenSource {
  token(call: ArmCall): Promise<Secret<string>>;
  /** A token of it was refused: it is remembered no longer. */
  refused?(): void;
}

export interface ArmClientOptions {
  /** For example `https://management.azure.com`. */
  readonly endpoint: string;
  readonly tokens: TokenSource;
  readonly gate: RateGate;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly log: Logger;
  /** The version that a path is asked with, of the one that requests name. Default: that one. */
  readonly versionOf?: (path: string, version: string) => string;
}

/** Azure Resource Manager over HTTP: one request each, repeated only where its token was refused. Failures are `CapstanError`s with codes `azure.*`. */
export interface ArmClient {
  /** A path that begins with a slash. */
  send(method: ArmMethod, path: string, request: ArmRequest, call: ArmCall): Promise<ArmAnswer>;
  /** As `send`; what does not exist is `undefined`. */
  find(method: ArmMethod, path: string, request: ArmRequest, call: ArmCall): Promise<ArmAnswer | undefined>;
  /** Returns whether an address is the endpoint's: another one would receive our token. */
  knows(address: string): boolean;
  /** An address that an answer gave, whatever its status. Throws for one that is not the endpoint's. */
  follow(address: string, doing: string, call: ArmCall): Promise<ArmAnswer>;
  /** As `follow`; throws for what is refused. */
  read(address: string, doing: string, call: ArmCall): Promise<ArmAnswer>;
  /** The same client, whose requests Azure's logs show together. */
  correlated(id: string): ArmClient;
}

interface Target {
  readonly method: ArmMethod;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly doing: string;
}

/** A call that the gate lets pass. */
interface Admitted {
  readonly call: ArmCall;
  readonly counted: CountedCall;
  readonly pass: RatePass;
}

/** Where Azure does not say how long. */
const defaultWaitMs = 1000;
/** Whoever is to wait longer does something else meanwhile. */
const longestWaitMs = 5000;
const mostRefusals = 10;

class HttpArmClient implements ArmClient {
  readonly #options: ArmClientOptions;
  readonly #correlation: string | undefined;

  constructor(options: ArmClientOptions, correlation?: string) {
    this.#options = options;
    this.#correlation = correlation;
  }

  correlated(id: string): ArmClient {
    return new HttpArmClient(this.#options, id);
  }

  async send(method: ArmMethod, path: string, request: ArmRequest, call: ArmCall): Promise<ArmAnswer> {
    const { doing } = request;
    const answer = await this.#answerTo(method, path, request, call);
    if (answer.status >= 400) throw this.#errorOf(doing, answer);
    return answer;
  }

  async find(method: ArmMethod, path: string, request: ArmRequest, call: ArmCall): Promise<ArmAnswer | undefined> {
    const answer = await this.#answerTo(method, path, request, call);
    if (answer.status === 404) return undefined;
    if (answer.status >= 400) throw this.#errorOf(request.doing, answer);
    return answer;
  }

  knows(address: string): boolean {
    return isOfEndpoint(address, this.#options.endpoint);
  }

  async read(address: string, doing: string, call: ArmCall): Promise<ArmAnswer> {
    const answer = await this.follow(address, doing, call);
    if (answer.status >= 400) throw this.#errorOf(doing, answer);
    return answer;
  }

  async follow(address: string, doing: string, call: ArmCall): Promise<ArmAnswer> {
    return this.#exchange({ method: "GET", url: this.#own(address, doing), headers: {}, doing }, call);
  }

  #own(address: string, doing: string): URL {
    if (this.knows(address)) return new URL(address);
    const message = `could not ${doing}: the address to ask is not one of ${new URL(this.#options.endpoint).origin}`;
    throw azureError("invalid", message, { retry: { kind: "never" } });
  }

  #answerTo(method: ArmMethod, path: string, request: ArmRequest, call: ArmCall): Promise<ArmAnswer> {
    const { apiVersion, body, doing, ifAbsent, ifMatch, query = {} } = request;
    // Ids that users write are paths: what follows the endpoint must not make another host of it.
    const url = this.#own(this.#options.endpoint.replace(/\/$/, "") + path, request.doing);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    url.searchParams.set("api-version", this.#options.versionOf?.(path, apiVersion) ?? apiVersion);
    const headers = {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(ifMatch !== undefined && { "if-match": ifMatch }),
      ...(ifAbsent === true && { "if-none-match": "*" }),
    };
    return this.#exchange({ method, url, headers, body, doing }, call);
  }

  async #exchange(target: Target, call: ArmCall): Promise<ArmAnswer> {
    const { tokens } = this.#options;
    const token = await tokens.token(call);
    const answer = await this.#ask(target, token, call);
    if (answer.status !== 401 || tokens.refused === undefined) return answer;
    // Tokens may be revoked before they end. Nothing was done: another one may be had.
    tokens.refused();
    const fresh = await tokens.token(call);
    return fresh.reveal() === token.reveal() ? answer : this.#ask(target, fresh, call);
  }

  /** Asks when there is room. What Azure refuses since there was none was not done, and is asked again: whoever waits keeps what it has seen. */
  async #ask(target: Target, token: Secret<string>, call: ArmCall): Promise<ArmAnswer> {
    const { gate } = this.#options;
    const { signal, turn } = call;
    const counted = countedCall(target.method, target.url.pathname);
    const counts = countsOf(counted);
    for (let refusals = 0; ; refusals += 1) {
      const pass = await gate.admit({ counts, writes: counted.kind !== "reads", turn, signal });
      const answer = await this.#answered(target, token, { call, counted, pass });
      const waitMs = answer.status === 429 ? (this.#waitOf(answer) ?? defaultWaitMs) : undefined;
      if (waitMs === undefined || waitMs > longestWaitMs || refusals >= mostRefusals) return answer;
    }
  }

  async #answered(target: Target, token: Secret<string>, { call, counted, pass }: Admitted): Promise<ArmAnswer> {
    const answer = await this.#transported(target, token, call).catch((error: unknown) => {
      pass.failed();
      throw error;
    });
    if (answer.status !== 429) pass.answered(saidOf(counted, answer.headers));
    else pass.refused(refusedOf(counted, answer.headers), this.#waitOf(answer) ?? defaultWaitMs);
    return answer;
  }

  async #transported(
    { body, doing, headers, method, url }: Target,
    token: Secret<string>,
    call: ArmCall,
  ): Promise<ArmAnswer> {
    const { log, transport } = this.#options;
    call.begun?.();
    const answer = await transport({
      method,
      url,
      doing,
      signal: call.signal,
      ...(body !== undefined && { body }),
      headers: {
        accept: "application/json",
        "user-agent": "capstan-infra-azure",
        ...(this.#correlation !== undefined && { "x-ms-correlation-request-id": this.#correlation }),
        ...headers,
        authorization: `Bearer ${token.reveal()}`,
      },
    });
    // Neither query nor bodies: both may hold secrets.
    log.debug("azure answered", { method, path: url.pathname, status: answer.status });
    return answer;
  }

  #errorOf(doing: string, answer: ArmAnswer): Error {
    return armError(doing, failureIn(answer.body, answer.status), this.#waitOf(answer));
  }

  #waitOf({ headers }: ArmAnswer): number | undefined {
    return retryAfterMs(headers["retry-after"], this.#options.clock.now());
  }
}

/** Regional addresses of Resource Manager are below its name. */
const isOfEndpoint = (address: string, endpoint: string): boolean => {
  if (!URL.canParse(address)) return false;
  const [given, own] = [new URL(address), new URL(endpoint)];
  if (given.protocol !== own.protocol || given.port !== own.port) return false;
  return given.hostname === own.hostname || given.hostname.endsWith(`.${own.hostname}`);
};

/** Opens Azure Resource Manager. */
export const armClient = (options: ArmClientOptions): ArmClient => new HttpArmClient(options);
