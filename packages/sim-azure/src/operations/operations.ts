import type { OperationFault } from "@capstan/simulation";
import { same } from "../resource-id.ts";
import type { OperationError, StoredOperation } from "../state.ts";
import type { NewOperation, OperationLog, World } from "../world.ts";

/** Called when an operation is over; an error that it returns makes the operation fail. */
type Finish = (operation: StoredOperation) => OperationError | undefined;

const task = "operation";
/** Addresses of operations that are over are known so long. */
const keptMs = 3_600_000;

type Foundation = Pick<World, "state" | "clock" | "timers" | "newUuid">;

/** The operations of a subscription, which survive the process. */
export class Operations implements OperationLog {
  readonly #world: Foundation;
  readonly #finish: Finish;

  constructor(world: Foundation, finish: Finish) {
    this.#world = world;
    this.#finish = finish;
    world.timers.define(task, (key) => this.complete(key.slice(task.length + 1)));
  }

  begin({ ms, expectedMs = 0, fault, ...about }: NewOperation): StoredOperation {
    const { state, clock, timers } = this.#world;
    const now = clock.now();
    state.operations = state.operations.filter(({ ended = now }) => now - ended < keptMs);
    const operation: StoredOperation = {
      ...about,
      id: this.#world.newUuid(),
      signature: this.#world.newUuid().replaceAll("-", ""),
      started: now,
      due: now + (ms ?? expectedMs) / timers.speed,
      lost: fault?.kind === "operation-vanishes",
      status: "InProgress",
      ...(fault?.kind === "operation-failed" ? { error: failureOf(fault) } : {}),
    };
    state.operations.push(operation);
    // One that is to fail does so in time, whatever it would wait for.
    const until = ms ?? (operation.error === undefined ? undefined : expectedMs);
    if (until !== undefined) timers.set(`${task}-${operation.id}`, task, until);
    return operation;
  }

  find(id: string): StoredOperation | undefined {
    return this.#world.state.operations.find((operation) => operation.id === id);
  }

  running(target: string): StoredOperation | undefined {
    return this.#world.state.operations.find(
      (operation) => operation.status === "InProgress" && same(operation.target, target),
    );
  }

  finishAfter(id: string, ms: number): void {
    this.#world.timers.set(`${task}-${id}`, task, ms);
  }

  complete(id: string, failure?: OperationError): void {
    const operation = this.find(id);
    if (operation === undefined || operation.status !== "InProgress") return;
    this.#world.timers.cancel(`${task}-${id}`);
    const error = operation.error ?? failure;
    if (error !== undefined) operation.error = error;
    operation.status = error === undefined ? "Succeeded" : "Failed";
    operation.ended = this.#world.clock.now();
    const late = this.#finish(operation);
    if (late !== undefined && error === undefined) {
      operation.error = late;
      operation.status = "Failed";
    }
  }
}

/** Error of an operation that a newer one has replaced. */
export const preempted: OperationError = {
  code: "OperationPreempted",
  message: "The operation has been preempted by a more recent operation.",
};

const messages: Readonly<Record<string, string>> = {
  AllocationFailed:
    "Allocation failed. We do not have sufficient capacity for the requested VM size in this region. Read more about improving likelihood of allocation success at https://aka.ms/allocation-guidance",
  ZonalAllocationFailed:
    "Allocation failed. We do not have sufficient capacity for the requested VM size in this zone. Read more about improving likelihood of allocation success at https://aka.ms/allocation-guidance",
  OverconstrainedZonalAllocationRequest:
    "Allocation failed. VM(s) with the following constraints cannot be allocated, because the condition is too restrictive.",
  OSProvisioningTimedOut:
    "OS Provisioning for VM did not finish in the allotted time. The VM may still finish provisioning successfully.",
};

/** An error in the words of Azure. */
export const operationError = (code: string, reason?: string): OperationError => ({
  code,
  message: reason ?? messages[code] ?? "An error occurred.",
});

const failureOf = ({
  code = "InternalServerError",
  reason,
}: Extract<OperationFault, { kind: "operation-failed" }>): OperationError => operationError(code, reason);
