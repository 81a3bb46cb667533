import type { IncomingMessage } from "node:http";
import { Refusal } from "../http/refusal.ts";
import type { ServiceRequest } from "../http/service.ts";

/** Request line and headers. */
export const readHead = (message: IncomingMessage, serverUrl: string): Omit<ServiceRequest, "body"> => {
  const url = message.url ?? "/";
  const at = url.indexOf("?");
  return {
    method: message.method ?? "GET",
    path: at < 0 ? url : url.slice(0, at),
    query: at < 0 ? "" : url.slice(at + 1),
    headers: flatHeaders(message),
    serverUrl,
    client: message.socket.remoteAddress ?? "",
  };
};

/** Header names in lower case, repeated ones joined. */
const flatHeaders = (message: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(message.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === "string" ? value : value.join(",")]],
    ),
  );

/** The body, or a refusal when it is larger than allowed. It is read to its end either way, so that the client gets its answer. */
export const readBody = async (message: IncomingMessage, maxBytes: number): Promise<Uint8Array | Refusal> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= maxBytes) chunks.push(chunk);
  }
  return length <= maxBytes ? Buffer.concat(chunks) : new Refusal(413, `The body is larger than ${maxBytes} bytes`);
};
