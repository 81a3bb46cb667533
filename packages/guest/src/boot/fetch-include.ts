import { CapstanError, type Clock } from "@capstan/contract";
import { request } from "undici";

/** cloud-init's rules for one URL of an include file (`url_helper`, 22.4 to 25.x): tries, pause and time limit of each try. */
const rules = { tries: 11, pauseMs: 1000, timeoutMs: 5000, maxBytes: 16 * 1024 * 1024 } as const;

const tlsFailure = /^(CERT_|ERR_TLS_|UNABLE_TO_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT)/;

/**
 * GETs one URL of an include file as cloud-init does: every failing answer is retried, a TLS failure is not.
 * Throws `guest.include_failed` with the last status; the URL itself is a secret and is not repeated.
 */
export const fetchInclude = async (
  url: string,
  options: {
    readonly clock: Clock;
    readonly signal: AbortSignal;
    readonly onRetry?: (reason: string) => void;
    readonly reaches?: ((url: string) => boolean) | undefined;
  },
): Promise<Uint8Array> => {
  let last = "no answer";
  let cause: unknown;
  for (let attempt = 1; attempt <= rules.tries; attempt += 1) {
    if (attempt > 1) await options.clock.sleep(rules.pauseMs, { signal: options.signal });
    try {
      if (options.reaches?.(url) === false) throw Object.assign(new Error("nothing gets there"), { code: "ETIMEDOUT" });
      const response = await request(url, {
        signal: AbortSignal.any([options.signal, AbortSignal.timeout(rules.timeoutMs)]),
        headers: { "user-agent": "Cloud-Init/22.4.2" },
      });
      const bytes = await readWithin(response.body, rules.maxBytes);
      if (response.statusCode === 200 && bytes !== undefined) return bytes;
      last = `HTTP ${response.statusCode}`;
    } catch (error) {
      options.signal.throwIfAborted();
      cause = error;
      last = codeOf(error);
      if (tlsFailure.test(last)) break;
    }
    options.onRetry?.(last);
  }
  throw new CapstanError({
    code: "guest.include_failed",
    reason: "IncludeFailed",
    message: `a URL of the include file could not be fetched (${last}); the whole user-data is dropped, as cloud-init does since 20.3`,
    retry: { kind: "never" },
    ...(cause === undefined ? {} : { cause }),
  });
};

/** The whole body; `undefined` as soon as it is too large. */
const readWithin = async (body: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array | undefined> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const codeOf = (error: unknown): string => {
  const failure = error as { readonly code?: string; readonly name?: string };
  return failure.code ?? failure.name ?? "unknown failure";
};
