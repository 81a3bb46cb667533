import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";

export interface Fetched {
  readonly status: number;
  readonly text: string;
}

const timeoutMs = 10_000;

/** Fetches a URL from the address of a machine, as whoever serves it sees it. Rejects when no one answers. */
export const httpGet = (
  url: string,
  { localAddress, signal }: { readonly localAddress: string; readonly signal: AbortSignal },
): Promise<Fetched> =>
  new Promise((resolve, reject) => {
    const send = url.startsWith("https:") ? httpsRequest : httpRequest;
    const request = send(url, { localAddress, signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) });
    request.once("error", reject);
    request.once("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () => {
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
      });
    });
    request.end();
  });
