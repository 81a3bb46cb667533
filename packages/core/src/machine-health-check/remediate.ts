import { isCapstanError } from "@capstan/contract";
import { findCondition, MachineCondition } from "@capstan/kit/machines";
import { type Machine, MachineReason } from "../api.ts";
import type { RequestFailure } from "./machine-marks.ts";
import { askedOfOwner, askedOutside, markedHealthy, markedUnhealthy, notAskedOutside } from "./machine-marks.ts";
import type { RemediationRequests } from "./remediation-requests.ts";
import { remediationRequests } from "./remediation-requests.ts";
import type { HealthCheckScope, JudgedMachine } from "./scope.ts";
import type { Verdict } from "./verdict.ts";
import { EventReason } from "../api/event-reasons.ts";

type Unhealthy = Extract<Verdict, { readonly kind: "unhealthy" }>;

interface FailedRequest {
  readonly reason: RequestFailure;
  readonly message: string;
}

export interface RemediationOutcome {
  /** Errors of single Machines: a failure with one does not stop the others. */
  readonly errors: readonly unknown[];
  /** Requests that could not be made. */
  readonly failedRequests: readonly FailedRequest[];
}

const announce = ({ context }: HealthCheckScope, machine: Machine, { messages }: Unhealthy): void => {
  context.events.event(machine, {
    type: "Normal",
    reason: EventReason.markedUnhealthy,
    message: `the Machine is to be remediated: ${messages.join("; ")}`,
  });
};

const textOf = (error: unknown): string =>
  isCapstanError(error) ? error.message : "Please check controller logs for errors";

/** Asks the controller of the template's kind, and records on the Machine how that went. */
const askOutside = async (
  scope: HealthCheckScope,
  requests: RemediationRequests,
  machine: Machine,
  verdict: Unhealthy,
): Promise<{ readonly machine: Machine; readonly failed?: FailedRequest }> => {
  const now = scope.context.clock.now();
  if (requests.has(machine) === true) return { machine: askedOutside(machine, now) };
  try {
    if ((await requests.ask(machine)) === "asked") {
      announce(scope, machine, verdict);
      return { machine: askedOutside(machine, now) };
    }
    const { kind, name } = scope.check.spec.remediation?.templateRef ?? { kind: "", name: "" };
    const reason = MachineReason.externallyRemediated.templateNotFound;
    const message = `${kind} ${name} does not exist; create it or correct spec.remediation.templateRef`;
    return { machine: notAskedOutside(machine, reason, message, now), failed: { reason, message } };
  } catch (error) {
    scope.context.signal.throwIfAborted();
    const reason = MachineReason.externallyRemediated.requestCreationFailed;
    scope.context.log.warn("a request to remediate could not be made", { machine: machine.metadata.name, error });
    const message = textOf(error);
    return { machine: notAskedOutside(machine, reason, message, now), failed: { reason, message } };
  }
};

const askOwner = (scope: HealthCheckScope, machine: Machine, verdict: Unhealthy): Machine => {
  if (findCondition(machine, MachineCondition.ownerRemediated)?.status !== "False") announce(scope, machine, verdict);
  return askedOfOwner(machine, scope.context.clock.now());
};

/** Does what a Machine's verdict asks for, and returns the status to set on the Machine afterwards. */
const treat = async (
  scope: HealthCheckScope,
  requests: RemediationRequests | undefined,
  { machine, verdict, overruled }: JudgedMachine,
): Promise<{ readonly machine: Machine; readonly failed?: FailedRequest }> => {
  const now = scope.context.clock.now();
  if (verdict.kind === "healthy") {
    await requests?.withdraw(machine);
    return { machine: overruled ? machine : markedHealthy(machine, now) };
  }
  if (verdict.kind !== "unhealthy") return { machine };
  const marked = overruled ? machine : markedUnhealthy(machine, verdict, now);
  if (scope.gate.state !== "open") return { machine: marked };
  return requests === undefined
    ? { machine: askOwner(scope, marked, verdict) }
    : askOutside(scope, requests, marked, verdict);
};

/**
 * Writes every verdict to its Machine and asks for what is to be done: its owner by a condition, or another controller by
 * an object made from the template. Each Machine is on its own: a failure with one is told on it and in the outcome.
 */
export const remediate = async (scope: HealthCheckScope): Promise<RemediationOutcome> => {
  const { context, check, judged } = scope;
  const templateRef = check.spec.remediation?.templateRef;
  const requests =
    templateRef === undefined ? undefined : await remediationRequests(context, scope.externals, templateRef);
  const errors: unknown[] = [];
  const failedRequests: FailedRequest[] = [];
  for (const target of judged) {
    context.signal.throwIfAborted();
    try {
      const { machine, failed } = await treat(scope, requests, target);
      if (failed !== undefined) failedRequests.push(failed);
      await scope.machineSaver.saveStatus(target.machine, machine, context);
    } catch (error) {
      context.signal.throwIfAborted();
      errors.push(error);
    }
  }
  return { errors, failedRequests };
};
