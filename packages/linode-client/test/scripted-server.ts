import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export type Answer =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown }
  | "reset"
  | "hang";

/** Answers requests on loopback in the order of a script; the last answer is repeated. */
export const scriptedServer = async (answers: readonly Answer[] | ((request: Received) => Answer)) => {
  const received: Received[] = [];
  const waiting: (() => void)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const entry = {
        method: request.method ?? "",
        url: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      received.push(entry);
      for (const wake of waiting.splice(0)) wake();
      reply(
        response,
        typeof answers === "function"
          ? answers(entry)
          : (answers[Math.min(received.length, answers.length) - 1] ?? "hang"),
      );
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    nextRequest: () => new Promise<void>((resolve) => waiting.push(resolve)),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
};

const reply = (response: ServerResponse, answer: Answer): void => {
  if (answer === "hang") return;
  if (answer === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  const text = typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body ?? {});
  response.writeHead(answer.status ?? 200, { "content-type": "application/json; charset=utf-8", ...answer.headers });
  response.end(text);
};
