export { requestFor } from "./controller.ts";
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
  Source,
  WatchOptions,
} from "./controller.ts";
