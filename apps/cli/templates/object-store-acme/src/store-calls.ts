import { isCapstanError } from "@capstan/contract";
import { ProxyAgent, request, type Dispatcher } from "undici";
import { meaningOf, storeError } from "./errors.ts";
import { acmeDefaults, type AcmeObjectStoreOptions } from "./options.ts";
import type { StoreSettings } from "./settings.ts";

export interface StoreCall {
  readonly method: "GET" | "HEAD" | "PUT" | "DELETE";
  /** Escaped, with query. */
  readonly path: string;
  /** For messages: `put object k in bucket b`. */
  readonly doing: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly signal?: AbortSignal | undefined;
  /** An answer that is longer is refused. Default: any length. */
  readonly maxBytes?: number;
}

export interface StoreAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

/** An answer, and how often it was asked for. */
type Answered = StoreAnswer & { readonly attempts: number };

const firstBackoffMs = 200;
const passing: readonly string[] = ["objectstore.unavailable", "objectstore.timeout", "objectstore.throttled"];

/** Calls of one bucket: credentials, patience, repetition, failures by code. Answers 404 for what is missing. */
export const storeCalls = (
  { endpoint, access, secret }: StoreSettings,
  options: AcmeObjectStoreOptions,
): ((call: StoreCall) => Promise<Answered>) => {
  const { attempts = acmeDefaults.attempts, clock, proxyFor, random } = options;
  const uri = proxyFor?.(endpoint);
  const way = uri === undefined ? {} : { dispatcher: new ProxyAgent(uri) };
  const authorization = `Basic ${Buffer.from(`${access}:${secret}`).toString("base64")}`;
  return async (call) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const headers = { authorization, ...call.headers };
        const answer = await once(`${endpoint}${call.path}`, call, headers, { ...options, ...way });
        return { ...answer, attempts: attempt };
      } catch (error) {
        if (attempt >= attempts || !isCapstanError(error) || !passing.includes(error.code)) throw error;
        const waitMs = firstBackoffMs * 2 ** (attempt - 1) * (0.5 + random.next());
        await clock.sleep(waitMs, call.signal === undefined ? {} : { signal: call.signal });
      }
    }
  };
};

const once = async (
  url: string,
  { method, body, doing, maxBytes = Number.POSITIVE_INFINITY, signal }: StoreCall,
  headers: Readonly<Record<string, string>>,
  {
    clock,
    timeoutMs = acmeDefaults.timeoutMs,
    dispatcher,
  }: AcmeObjectStoreOptions & { readonly dispatcher?: Dispatcher },
): Promise<StoreAnswer> => {
  const timer = new AbortController();
  const cancel = clock.schedule(timeoutMs, () => timer.abort());
  try {
    const answer = await request(url, {
      method,
      headers: { ...headers },
      body: body ?? null,
      signal: signal === undefined ? timer.signal : AbortSignal.any([signal, timer.signal]),
      ...(dispatcher !== undefined && { dispatcher }),
    });
    const { statusCode: status } = answer;
    const tooLarge = () => storeError("tooLarge", doing, `it has more than ${maxBytes} bytes`);
    if (status < 400 && method !== "HEAD" && Number(answer.headers["content-length"] ?? 0) > maxBytes) {
      await answer.body.dump();
      throw tooLarge();
    }
    const bytes = await answer.body.bytes();
    if (status < 400 && bytes.length > maxBytes) throw tooLarge();
    if (status >= 400 && status !== 404) throw storeError(meaningOf(status), doing, `the store answered ${status}`);
    return { status, headers: answer.headers as Readonly<Record<string, string>>, bytes };
  } catch (error) {
    if (isCapstanError(error)) throw error;
    if (timer.signal.aborted) throw storeError("timeout", doing, `no answer within ${timeoutMs} ms`);
    if (signal?.aborted === true) {
      throw storeError("cancelled", doing, "the call was cancelled", { cause: signal.reason });
    }
    const { code = "no answer" } = error as NodeJS.ErrnoException;
    throw storeError("unavailable", doing, code, { cause: error });
  } finally {
    cancel();
  }
};
