import { CapstanError } from "@capstan/contract";
import type { LifeTypes } from "./object-author.ts";
import type { Operation, OperationState } from "./operations.ts";
import type { Visit } from "./visit.ts";

/** Between two tries of what fails again and again. */
const firstHoldMs = 5000;
const longestHoldMs = 600_000;

/** An operation that continues. */
export type RunningOperation = Omit<Extract<OperationState, { readonly state: "running" }>, "state"> & {
  readonly operation: Operation;
};

/**
 * Asks about every operation that is saved, and drops those that have ended. A failure is remembered as one of the verb that started it:
 * an operation that fails again and again is started less and less often.
 */
export const outcomeOf = async <T extends LifeTypes>(
  visit: Visit<T>,
  poll: Parameters<Visit<T>["poll"]>[0],
): Promise<{ readonly failure?: CapstanError; readonly running?: RunningOperation }> => {
  const { operations } = visit;
  const running: RunningOperation[] = [];
  const failures: CapstanError[] = [];
  for (const operation of operations.all) {
    const { name, verb } = operation;
    const polled = await visit.poll(poll, operation);
    if (polled.state === "running") {
      const { state: _, ...progress } = polled;
      running.push({ ...progress, operation });
      continue;
    }
    operations.end(name);
    visit.ended();
    if (polled.state === "succeeded") operations.succeeded(name);
    if (polled.state !== "failed") continue;
    const error = failureOf(polled);
    visit.refused(verb, error, holdMs(error, operations.failed(name)));
    failures.push(error);
  }
  const [failure] = failures;
  const [first] = running.toSorted((a, b) => (a.pollMs ?? Infinity) - (b.pollMs ?? Infinity));
  return { ...(failure && { failure }), ...(first && { running: first }) };
};

const failureOf = ({ message, reason, retry }: Extract<OperationState, { readonly state: "failed" }>): CapstanError =>
  new CapstanError({ code: "kit.operation_failed", reason, message, retry });

const holdMs = ({ retry }: CapstanError, failures: number): number => {
  if (retry.kind === "never") return Number.POSITIVE_INFINITY;
  if (retry.kind === "after") return retry.ms;
  return Math.min(firstHoldMs * 2 ** (failures - 1), longestHoldMs);
};
