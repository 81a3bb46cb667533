export { apiService } from "./api/api-service.ts";
export type { Admission, ApiCloud, ApiDefinition } from "./api/api-service.ts";
export { checkShape } from "./api/check-shape.ts";
export { Reply, reply } from "./api/reply.ts";
export { routing } from "./api/route.ts";
export type { Method, Route, RouteRequest, RouteSource } from "./api/route.ts";
export { boolean, bytes, integer, json, list, object, readOnly, text, open } from "./api/shape.ts";
export type {
  ArrayShape,
  BooleanShape,
  BytesShape,
  Format,
  Fields,
  NumberShape,
  ObjectOf,
  ObjectShape,
  Shape,
  StringShape,
  StringsShape,
  ValueOf,
} from "./api/shape.ts";
export type { ControlDefinition } from "./control/control-service.ts";
export type { Faults } from "./faults/fault-plan.ts";
export { parseFaults } from "./faults/fault-script.ts";
export type { Fault, FaultAction, OperationFault } from "./faults/fault.ts";
export { invalid, notFound, Refusal, violation } from "./http/refusal.ts";
export type { RefusalOptions } from "./http/refusal.ts";
export type { HttpAnswer, RequestDescription, Service, ServiceAnswer, ServiceRequest } from "./http/service.ts";
export { bucketLimiter, windowLimiter } from "./limits/rate-limit.ts";
export type { Budget, RateBucketRule, RatedCall, RateLimiter, RateLimitRule } from "./limits/rate-limit.ts";
export type { GuestHost, GuestMachine } from "./machines/guest-host.ts";
export type { GuestPlan, GuestPlans } from "./machines/guest-plans.ts";
export type {
  GuestIdentity,
  MachineModel,
  MachinePower,
  MachineSummary,
  Power,
  PowerDelays,
} from "./machines/machine-power.ts";
export type { Backend, BackendHealth, Balancers, Frontend } from "./network/balancers.ts";
export type { Redaction } from "./requests/redaction.ts";
export type { RecordedRequest, Requests } from "./requests/request-log.ts";
export { simulation } from "./simulation.ts";
export type {
  Served,
  ServerDefinition,
  Simulation,
  SimulationDefinition,
  SimulationOptions,
  SimulationServer,
} from "./simulation.ts";
export type { SimulatedState, StateDefinition, StoredTimer } from "./state/simulated-state.ts";
export type { Task, Timers } from "./state/timers.ts";
