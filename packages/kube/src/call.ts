import { isCapstanError } from "@capstan/contract";
import type { Connection, HttpAnswer, HttpRequest } from "./connection.ts";
import { answerError } from "./errors.ts";

const maxReads = 3;
/** Longest time spent on waiting for a server that asked to be patient; longer waits are the caller's. */
const maxWaitMs = 10_000;

export const headerOf = (headers: HttpAnswer["headers"], name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};

/** The texts of `Warning: 299` headers, whose bytes are UTF-8; several may stand in one line. */
export const warningsIn = ({ warning = [] }: HttpAnswer["headers"]): readonly string[] =>
  [warning]
    .flat()
    .flatMap((line) =>
      [...line.matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) =>
        Buffer.from(text.replaceAll(/\\(.)/g, "$1"), "latin1").toString("utf8"),
      ),
    );

const sendRead = async (connection: Connection, request: HttpRequest): Promise<HttpAnswer> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await connection.send(request);
    } catch (error) {
      const again = request.method === "GET" && attempt < maxReads;
      if (!again || !isCapstanError(error, "kube.unavailable") || error.details["reset"] !== true) throw error;
    }
  }
};

/**
 * One request with its retries: reads after a reset, everything after a 429 or 503 that says when to come back.
 * Resolves with a success; throws the translated error otherwise.
 */
export const call = async (connection: Connection, request: HttpRequest): Promise<HttpAnswer> => {
  const { clock } = connection;
  const giveUpAt = clock.now() + maxWaitMs;
  for (;;) {
    const answer = await sendRead(connection, request);
    if (answer.status < 300) return answer;
    const retryAfter = headerOf(answer.headers, "retry-after");
    const error = answerError({
      status: answer.status,
      body: answer.body,
      retryAfter,
      call: `${request.method} ${request.path.split("?", 1)[0]}`,
      now: clock.now(),
    });
    const asked = retryAfter !== undefined && (answer.status === 429 || answer.status === 503);
    if (!asked || error.retry.kind !== "after" || clock.now() + error.retry.ms > giveUpAt) throw error;
    await clock.sleep(Math.max(error.retry.ms, 100), request.signal === undefined ? {} : { signal: request.signal });
  }
};
