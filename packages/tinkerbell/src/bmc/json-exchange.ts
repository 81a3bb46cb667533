import { getCACertificates } from "node:tls";
import type { AddressGuard } from "@capstan/contract";
import { parseInTurns, shortJson } from "@capstan/schema/structural";
import { Agent, request } from "undici";

export interface JsonRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Sent as it is. */
  readonly body?: string;
}

export interface JsonAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** `undefined` when there is none, or something else than JSON. */
  readonly body: unknown;
}

/** Sends requests to one board management. */
export interface JsonExchange {
  /** Rejects when no one answers in time. */
  readonly send: (sent: JsonRequest) => Promise<JsonAnswer>;
  readonly close: () => Promise<void>;
}

export interface JsonExchangeOptions {
  readonly signal: AbortSignal;
  /** Certificates are not checked. */
  readonly insecureTls: boolean;
  /** PEM certificates to trust beside the public ones. */
  readonly ca: readonly string[];
  /** Default: requests go anywhere. */
  readonly guard?: AddressGuard | undefined;
}

/** Board management is slow, but not slower than this. */
const timeoutMs = 30_000;

/** A server that is not board management may answer without end. */
const maxAnswerBytes = 1024 ** 2;

export const jsonExchange = ({ signal, insecureTls, ca, guard }: JsonExchangeOptions): JsonExchange => {
  const connect = {
    rejectUnauthorized: !insecureTls,
    ...(ca.length === 0 ? {} : { ca: [...getCACertificates("default"), ...ca] }),
    ...(guard === undefined ? {} : { lookup: guard.lookup }),
  };
  const agent = new Agent({ connect, connections: 1, maxResponseSize: maxAnswerBytes });
  return {
    send: async ({ method, url, headers = {}, body }) => {
      guard?.check(url);
      const answer = await request(url, {
        method: method as "GET",
        headers,
        ...(body === undefined ? {} : { body }),
        dispatcher: agent,
        // By the time of the network, not by a clock that tests move.
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      const text = await answer.body.text();
      return { status: answer.statusCode, headers: answer.headers, body: await jsonOf(text) };
    },
    close: () => agent.destroy(),
  };
};

const jsonOf = async (text: string): Promise<unknown> => {
  try {
    return await parseInTurns(text, shortJson, JSON.parse);
  } catch {
    return undefined;
  }
};
