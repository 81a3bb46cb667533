import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Manager, Runnable } from "./controller.ts";
import { type ListenAddress, listenUntil } from "./http-listener.ts";
import type { MetricsAccess } from "./token-access.ts";
import type { ServingCertificate } from "./webhook/webhook-server.ts";

/** Throws, or rejects, to say what is wrong. A text is said too, without anything being wrong enough for no one to be sent here. */
export type HealthCheck = () => void | string | Promise<void | string>;

export interface HealthServerOptions extends ListenAddress {
  /** More conditions of `/readyz`, by name. */
  readonly ready?: Readonly<Record<string, HealthCheck>>;
  /** Serves HTTPS with it. Default: plain HTTP. */
  readonly certificate?: () => Promise<ServingCertificate>;
  /** Decides who may read `/metrics`, for example `tokenAccess(client)`. Default: everybody. */
  readonly access?: MetricsAccess;
  /** True if `/metrics` is served. Default true. */
  readonly metrics?: boolean;
  /** Called with the port once the server listens. */
  readonly listening?: (port: number) => void;
}

export interface HealthServer extends Runnable {
  /** Port of the running server; 0 before. */
  readonly port: number;
}

const answer = (response: ServerResponse, code: number, body: string, type = "text/plain; charset=utf-8"): void => {
  response.writeHead(code, { "content-type": type });
  response.end(body);
};

/** Returns the results of the checks, one line each, after `ok` where none failed. */
const readiness = async (
  checks: Readonly<Record<string, HealthCheck>>,
): Promise<{ readonly code: 200 | 503; readonly body: string }> => {
  const outcomes = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        const remark = await check();
        return { isWell: true, said: typeof remark === "string" ? [`${name}: ${remark}`] : [] };
      } catch (error) {
        return { isWell: false, said: [`${name}: ${error instanceof Error ? error.message : String(error)}`] };
      }
    }),
  );
  const said = outcomes.flatMap((outcome) => outcome.said);
  const isWell = outcomes.every((outcome) => outcome.isWell);
  return isWell ? { code: 200, body: ["ok", ...said].join("\n") } : { code: 503, body: said.join("\n") };
};

const refusals = { unauthenticated: 401, forbidden: 403 } as const;

/**
 * Serves `/healthz` (the process answers), `/readyz` (the caches are filled; true on standbys too) and `/metrics`. The first two
 * are open to everybody, as probes have no credentials. Add it to the manager: `manager.addRunnable(healthServer(manager, { port: 8081 }))`.
 */
export const healthServer = (manager: Manager, options: HealthServerOptions): HealthServer => {
  let port = 0;
  const caches: HealthCheck = () => {
    if (!manager.synced) throw new Error("not filled yet");
  };
  const metrics = async ({ headers }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const verdict = (await options.access?.({ path: "/metrics", authorization: headers.authorization })) ?? "allowed";
    if (verdict === "allowed") answer(response, 200, await manager.metrics.text(), "text/plain; version=0.0.4");
    else answer(response, refusals[verdict], verdict);
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? "/", "http://health").pathname;
    if (path === "/healthz") answer(response, 200, "ok");
    else if (path === "/metrics" && options.metrics !== false) await metrics(request, response);
    else if (path === "/readyz") {
      const { code, body } = await readiness({ caches, ...options.ready });
      answer(response, code, body);
    } else answer(response, 404, "not found");
  };
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch((error: unknown) => {
      manager.log.error("a health request failed", { error });
      answer(response, 500, "internal error");
    });
  };
  return {
    name: "health server",
    get port() {
      return port;
    },
    run: async ({ signal }) => {
      const serving = await options.certificate?.();
      // Loaded by name, node:http brings the whole of fetch along: 5 MiB that HTTPS does without.
      const server =
        serving === undefined
          ? (await import("node:http")).createServer(serve)
          : createTlsServer({ cert: serving.certificate, key: serving.key.reveal() }, serve);
      await listenUntil(server, options, {
        signal,
        listening: (bound) => {
          port = bound;
          options.listening?.(bound);
        },
      });
    },
  };
};
