export { createManager, requestMetrics } from "./create-manager.ts";
export type { ManagerOptions, ManagerSettings } from "./create-manager.ts";
export type {
  ControllerOptions,
  Environment,
  Manager,
  MetricsRegistry,
  Predicate,
  Reconcile,
  ReconcileContext,
  Request,
  RequestSink,
  Result,
  Runnable,
  Source,
  Tuning,
  WatchOptions,
} from "./controller.ts";
export { controller } from "./define-controller.ts";
export { healthServer } from "./health-server.ts";
export type { HealthCheck, HealthServer, HealthServerOptions } from "./health-server.ts";
export { listenUntil } from "./http-listener.ts";
export type { ListenAddress } from "./http-listener.ts";
export { createLogger } from "./logger.ts";
export type { LoggerOptions, LogLevel } from "./logger.ts";
export type { LeaderElection } from "./manager-run.ts";
export { createMetrics } from "./metrics.ts";
export {
  allOf,
  annotationsChanged,
  anyOf,
  finalizersChanged,
  generationChanged,
  labelsChanged,
  not,
  objectChanged,
} from "./predicates.ts";
export { poll, watch, watchMapped, watchOwned } from "./sources.ts";
export type { PollOptions } from "./sources.ts";
export { addressGuard } from "./address-guard.ts";
export type { AddressGuardOptions } from "./address-guard.ts";
export { proxyFromEnvironment } from "./proxy.ts";
export { tokenAccess } from "./token-access.ts";
export type { MetricsAccess } from "./token-access.ts";
export { cryptoRandom, systemClock } from "./system-clock.ts";
export { lowPriority } from "./work-queue.ts";
