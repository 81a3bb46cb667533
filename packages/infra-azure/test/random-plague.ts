import type { Random } from "@capstan/contract";
import type { Fault, FaultAction } from "@capstan/simulation";
import { faultAfterFault } from "@capstan/testing";
import type { AzureSimulator } from "@capstan/sim-azure";

/** What fails, and how often. */
export interface RandomFaultsOptions {
  /** How many faults happen before they stop. */
  readonly faults: number;
  readonly seed: number;
}

interface PlagueOptions {
  readonly simulator: AzureSimulator;
  readonly random: Random;
  readonly methods?: OperationMethods;
}

/** A fault hits one of so many requests, about. */
const spread = 4;
/** One of so many faults is the death of the controllers. */
export const deaths = 40;
/** What fails is retried rarely after some time. */
export const longestMs = 4 * 3_600_000;

/** One of several. */
export const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random.next() * items.length)]!;

/** Answers that a program between here and there may give; none says that something does not exist. */
const nonsense = ["{}", "[]", "null", "7", '{"id":7}', '{"value":{}}', '{"properties":null}', "{", "<html></html>"];

const codes = {
  PUT: ["AllocationFailed", "InternalServerError", "OSProvisioningTimedOut", "VMExtensionProvisioningError"],
  PATCH: ["AllocationFailed", "InternalServerError"],
  DELETE: ["InternalServerError", "NetworkingInternalOperationError", "Canceled"],
} as const;

const statusOf = (random: Random): FaultAction => {
  const status = pick(random, [403, 408, 409, 409, 412, 412, 500, 502, 503, 504]);
  return { kind: "status", status, code: pick(random, ["Conflict", "RetryableError", "AnotherOperationInProgress"]) };
};

const actions: readonly ((random: Random) => FaultAction)[] = [
  statusOf,
  statusOf,
  (random) => ({ kind: "status", status: 429, headers: { "retry-after": pick(random, ["1", "20", "300"]) } }),
  (random) => ({ kind: "html", status: pick(random, [403, 500, 502]) }),
  () => ({ kind: "reset" }),
  () => ({ kind: "lost-answer" }),
  () => ({ kind: "lost-answer" }),
  () => ({ kind: "truncated" }),
  (random) => ({ kind: "delay", ms: pick(random, [100, 3000, 20_000]) }),
  (random) => ({ kind: "other-answer", body: pick(random, nonsense) }),
];

/** Methods of requests whose operations fail or are forgotten; what is there more than once is hit more often. */
type OperationMethods = readonly (keyof typeof codes)[];

/** Of the operation that the next change or removal begins. */
const operationFault = (random: Random, methods: OperationMethods): Fault => {
  const method = pick(random, methods);
  if (random.next() < 0.5) return { method, action: { kind: "operation-vanishes" } };
  return { method, action: { kind: "operation-failed", code: pick(random, codes[method]) } };
};

/** One of so many faults is one of an operation, about. */
const operationSpread = 4;

const nextFault = (random: Random, methods: OperationMethods): Fault => {
  if (methods.length > 0 && random.next() < 1 / operationSpread) return operationFault(random, methods);
  return { nth: 1 + Math.floor(random.next() * spread), action: pick(random, actions)(random) };
};

/** Faults of everything that is called of a simulated cloud, until it is stopped; `happened` is called for each. */
export const plague = (
  { simulator, random, methods = ["PUT", "PUT", "DELETE"] }: PlagueOptions,
  happened: () => void,
): (() => void) => {
  const stops = [
    faultAfterFault(simulator, () => nextFault(random, methods), happened),
    faultAfterFault(simulator.blobs, () => nextFault(random, []), happened),
  ];
  return () => {
    for (const stop of stops) stop();
  };
};
