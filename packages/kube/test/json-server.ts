import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface JsonRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface JsonAnswer {
  readonly code: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What to answer; `reset` cuts the connection, `silence` never answers. */
export type JsonHandler = (request: JsonRequest) => JsonAnswer | "reset" | "silence" | Promise<JsonAnswer>;

export interface JsonServer {
  readonly url: string;
  readonly requests: readonly JsonRequest[];
  stop(): Promise<void>;
}

const read = async (request: IncomingMessage): Promise<JsonRequest> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://server");
  const { method = "GET", headers } = request;
  return { method, path: pathname, query: searchParams, headers, body: Buffer.concat(chunks).toString() };
};

/** A real HTTP server that answers by a function. */
export const jsonServer = async (handler: JsonHandler): Promise<JsonServer> => {
  const requests: JsonRequest[] = [];
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await read(incoming);
    requests.push(request);
    const given = await handler(request);
    if (given === "reset") incoming.socket.resetAndDestroy();
    else if (given !== "silence") {
      response.writeHead(given.code, { "content-type": "application/json", ...given.headers });
      response.end(typeof given.body === "string" ? given.body : JSON.stringify(given.body ?? {}));
    }
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
};
