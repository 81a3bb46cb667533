import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A running S3 service with the buckets `data` and `listed` and the key `S3RVER` / `S3RVER`. */
export interface StoreServer extends AsyncDisposable {
  readonly url: string;
}

const program = join(import.meta.dirname, "serve.ts");

const run = async (name: string): Promise<StoreServer> => {
  const directory = await mkdtemp(join(tmpdir(), "s3rver-"));
  const child = fork(program, [name, directory], { execArgv: [] });
  const [port] = (await once(child, "message")) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, "exit");
      child.kill();
      await ended;
      await rm(directory, { recursive: true });
    },
  };
};

/** s3rver: does everything we call, but accepts any signature. */
export const originalServer = (): Promise<StoreServer> => run("s3rver");

/** The fork of s3rver that verifies signatures, but refuses requests with other query parameters, such as lists. */
export const verifyingServer = (): Promise<StoreServer> => run("@20minutes/s3rver");

/** Answers every request with `reply`. */
export const scriptedServer = async (
  reply: (request: IncomingMessage, response: ServerResponse, count: number) => void,
) => {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      requests.push(request);
      reply(request, response, requests.length);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
};
