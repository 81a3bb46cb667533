import { CapstanError, silentLogger } from "@capstan/contract";
import { createAuditor } from "./audit/request-audit.ts";
import { createAuthenticator } from "./auth/authenticator.ts";
import { createAuthorizer } from "./auth/authorizer.ts";
import { actingUser } from "./auth/impersonation.ts";
import { tokenEndpoints } from "./http/token-endpoints.ts";
import { discoveryEndpoints } from "./discovery/discovery-endpoints.ts";
import { type HealthCheck, healthEndpoints, versionEndpoint } from "./http/health.ts";
import { type RunningServer, startHttpsServer } from "./http/https-server.ts";
import { restoreEndpoint } from "./http/restore-endpoint.ts";
import { serverMetrics } from "./http/metrics.ts";
import { asksForPorts } from "./http/port-forward-requests.ts";
import { createRequestHandler } from "./http/request-handler.ts";
import type { ApiServer, ApiServerOptions } from "./server-options.ts";
import { serverIdentity, warnOfReaders } from "./server-identity.ts";
import { dataFileOf, type Parts, publishServer, startParts, stopParts } from "./server-parts.ts";
import { adminKubeconfig, type ServingCertificate, servingCertificate } from "./serving-certificate.ts";

interface Running {
  readonly parts: Parts;
  readonly https: RunningServer;
  readonly serving: ServingCertificate;
  /** Ends what would continue forever: watches. */
  readonly stopListeners: Set<() => void>;
  readonly url: string;
}

/** A server that listens on every address is reached by loopback. */
const reachable: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

const urlOf = (address: string, port: number): string => {
  const host = reachable[address] ?? address;
  return `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
};

const readyChecks = ({ extensions }: Parts): readonly HealthCheck[] =>
  extensions.flatMap((extension) =>
    extension.ready === undefined ? [] : [{ name: extension.name, check: () => extension.ready?.() }],
  );

const startServer = async (options: ApiServerOptions): Promise<Running> => {
  const log = options.log ?? silentLogger;
  const { clock, host = "127.0.0.1", port = 0 } = options;
  const dataFile = dataFileOf(options);
  const identity = await serverIdentity(clock.now(), dataFile);
  const serving = await servingCertificate(options, identity);
  const parts = await startParts(options, identity, serving.caCertificate, log);
  const stopListeners = new Set<() => void>();
  const { storage } = parts.core;
  const checkStorage = (): void => {
    if (storage.failure !== undefined) {
      throw storage.failure;
    }
  };
  const metrics = serverMetrics(parts.core, parts.extensions);
  const answer = createRequestHandler({
    core: parts.core,
    authenticate: createAuthenticator(parts.tokens, clock),
    impersonate: (user, request) => actingUser(parts.rbac, user, request),
    authorize: createAuthorizer(parts.rbac),
    ...(options.audit === undefined ? {} : { audit: createAuditor(options.audit, clock) }),
    endpoints: {
      ...discoveryEndpoints,
      "/version": versionEndpoint,
      "/metrics": metrics.endpoint,
      "/capstan/v1/restore": restoreEndpoint,
      ...tokenEndpoints(parts.accounts),
      ...healthEndpoints({ live: [], ready: [{ name: "storage", check: checkStorage }, ...readyChecks(parts)] }),
    },
    onStop: (listener) => {
      stopListeners.add(listener);
      return () => stopListeners.delete(listener);
    },
  });
  const handle: typeof answer = async (request, response, upgrade) => {
    metrics.observe(request, response);
    await answer(request, response, upgrade);
  };
  const upgrades = options.connectPod === undefined ? {} : { upgrades: asksForPorts };
  try {
    const https = await startHttpsServer({ host, port, handle, ...upgrades, ...serving });
    await publishServer(parts, options, { host, port: https.port, clientCA: serving.clientCA });
    if (dataFile !== undefined) {
      warnOfReaders(dataFile, log);
    }
    log.info("API server ready", { url: urlOf(host, https.port) });
    return { parts, https, serving, stopListeners, url: urlOf(host, https.port) };
  } catch (error) {
    await stopParts(parts, log);
    throw error;
  }
};

const stopServer = async (running: Running, options: ApiServerOptions): Promise<void> => {
  const { stopListeners } = running;
  const cancel = options.clock.schedule(options.stopTimeoutMs ?? 5_000, () => running.https.closeNow());
  const closed = running.https.close();
  for (const listener of stopListeners) {
    listener();
  }
  await closed;
  cancel();
  await options.audit?.sink.close();
  await stopParts(running.parts, options.log ?? silentLogger);
};

const notStarted = (): CapstanError =>
  new CapstanError({
    code: "apiserver.not_started",
    reason: "NotStarted",
    message: "The API server is not running: call start() first",
    retry: { kind: "never" },
  });

/** A Kubernetes-style API server in this process. Several may run at once; nothing is shared between them. */
export const createApiServer = (options: ApiServerOptions): ApiServer => {
  let running: Promise<Running> | undefined;
  let started: Running | undefined;
  const current = (): Running => {
    if (started === undefined) {
      throw notStarted();
    }
    return started;
  };
  return {
    start: async () => {
      running ??= startServer(options);
      try {
        started = await running;
      } catch (error) {
        running = undefined;
        throw error;
      }
    },
    stop: async () => {
      const stoppable = await running?.catch(() => undefined);
      running = undefined;
      started = undefined;
      if (stoppable !== undefined) {
        await stopServer(stoppable, options);
      }
    },
    get url() {
      return current().url;
    },
    get caCertificate() {
      return current().serving.caCertificate;
    },
    get revision() {
      return current().parts.core.storage.revision;
    },
    adminKubeconfig: async () => await adminKubeconfig(current().url, current().serving, options.clock.now()),
  };
};
