import { Agent, request } from "undici";
import { benchToken } from "./subject.ts";

const contentTypes = {
  POST: "application/json",
  DELETE: "application/json",
  merge: "application/merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

export type Verb = "GET" | keyof typeof contentTypes;

/** Sends the requests of a bench over a fixed number of connections. */
export class LoadClient {
  readonly #url: string;
  readonly #agent: Agent;

  constructor(url: string, connections: number) {
    this.#url = url;
    this.#agent = new Agent({ connect: { rejectUnauthorized: false }, connections, bodyTimeout: 0, headersTimeout: 0 });
  }

  /** The answer as text. Throws when the server refuses. */
  async send(verb: Verb, path: string, body?: unknown): Promise<string> {
    const { statusCode, body: answer } = await this.#request(verb, path, body);
    const text = await answer.text();
    if (statusCode >= 300) {
      throw new Error(`${verb} ${path}: ${statusCode} ${text.slice(0, 500)}`);
    }
    return text;
  }

  /** Reads an answer piece by piece until `onChunk` says that it is enough, or the answer ends. Resolves with its size in bytes. */
  async stream(path: string, onChunk: (chunk: Buffer) => boolean): Promise<number> {
    const { statusCode, body } = await this.#request("GET", path);
    if (statusCode !== 200) {
      throw new Error(`GET ${path}: ${statusCode} ${await body.text()}`);
    }
    let bytes = 0;
    body.on("error", () => undefined);
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (onChunk(chunk)) {
        break;
      }
    }
    return bytes;
  }

  /** Opens a stream and hands over what comes; resolves once the answer has begun. Ends with `close`. */
  async follow(path: string, onChunk: (chunk: Buffer) => void): Promise<void> {
    const { body } = await this.#request("GET", path);
    body.on("error", () => undefined);
    body.on("data", onChunk);
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  #request(verb: Verb, path: string, body?: unknown) {
    return request(this.#url + path, {
      method: verb === "merge" || verb === "apply" ? "PATCH" : verb,
      dispatcher: this.#agent,
      headers: {
        authorization: `Bearer ${benchToken}`,
        ...(body === undefined ? {} : { "content-type": contentTypes[verb as keyof typeof contentTypes] }),
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  }
}
