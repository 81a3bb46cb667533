import { createServer, type ServerResponse } from "node:http";
import type { Manager, Runnable } from "./controller.ts";
import { type ListenAddress, listenUntil } from "./http-listener.ts";

/** Throws, or rejects, to say what is wrong. */
export type HealthCheck = () => void | Promise<void>;

export interface HealthServerOptions extends ListenAddress {
  /** More conditions of `/readyz`, by name. */
  readonly ready?: Readonly<Record<string, HealthCheck>>;
}

export interface HealthServer extends Runnable {
  /** Of the server that runs; 0 before. */
  readonly port: number;
}

const answer = (response: ServerResponse, code: number, body: string, type = "text/plain; charset=utf-8"): void => {
  response.writeHead(code, { "content-type": type });
  response.end(body);
};

const failures = async (checks: Readonly<Record<string, HealthCheck>>): Promise<readonly string[]> => {
  const outcomes = Object.entries(checks).map(async ([name, check]) => {
    try {
      await check();
      return [];
    } catch (error) {
      return [`${name}: ${error instanceof Error ? error.message : String(error)}`];
    }
  });
  return (await Promise.all(outcomes)).flat();
};

/**
 * Serves `/healthz` (the process answers), `/readyz` (the caches are filled; true on standbys too) and `/metrics` over plain
 * HTTP. Add it to the manager: `manager.addRunnable(healthServer(manager, { port: 8081 }))`.
 */
export const healthServer = (manager: Manager, options: HealthServerOptions): HealthServer => {
  let port = 0;
  const caches: HealthCheck = () => {
    if (!manager.synced) throw new Error("not filled yet");
  };
  const handle = async (path: string, response: ServerResponse): Promise<void> => {
    if (path === "/healthz") answer(response, 200, "ok");
    else if (path === "/metrics") answer(response, 200, await manager.metrics.text(), "text/plain; version=0.0.4");
    else if (path === "/readyz") {
      const failed = await failures({ caches, ...options.ready });
      answer(response, failed.length === 0 ? 200 : 503, failed.length === 0 ? "ok" : failed.join("\n"));
    } else answer(response, 404, "not found");
  };
  return {
    name: "health server",
    get port() {
      return port;
    },
    run: async ({ signal }) => {
      const server = createServer((request, response) => {
        handle(new URL(request.url ?? "/", "http://health").pathname, response).catch((error: unknown) => {
          manager.log.error("a health request failed", { error });
          answer(response, 500, "internal error");
        });
      });
      await listenUntil(server, options, {
        signal,
        listening: (bound) => {
          port = bound;
        },
      });
    },
  };
};
