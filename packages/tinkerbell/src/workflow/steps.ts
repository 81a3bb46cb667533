import type { CapstanError } from "@capstan/contract";
import { isCapstanError } from "@capstan/contract";
import { bootFailed } from "../errors.ts";
import { postJob, preparingJob, type BootJob } from "./boot-actions.ts";
import { armed, handedOver, timeLeft } from "./hand-over.ts";
import { WorkflowCondition, WorkflowReason, WorkflowState } from "./names.ts";
import { switchNetboot } from "./netboot-switch.ts";
import { runBootJob } from "./run-boot-job.ts";
import { withCondition } from "./status.ts";
import { hardwareName, hardwareOf, type Outcome, type Visit } from "./visit.ts";

type JobOf = typeof preparingJob;

const jobOf = (visit: Visit, of: JobOf): BootJob | undefined => {
  const { bootOptions = {} } = visit.workflow.spec ?? {};
  if (bootOptions.bootMode === undefined) return undefined;
  const hardware = hardwareOf(visit);
  if (hardware === undefined) {
    throw bootFailed(`${hardwareName(visit.workflow)} does not exist, so that its machine cannot be booted`);
  }
  return of(bootOptions, hardware);
};

/** One step of what board management and the Hardware need; at the end, the next state. */
const bootStep = async (
  visit: Visit,
  { allowPXE, next, of }: { readonly allowPXE: boolean; readonly next: string; readonly of: JobOf },
): Promise<Outcome> => {
  try {
    const switched = await switchNetboot(visit, allowPXE);
    if (switched !== undefined) return switched;
    const job = jobOf(visit, of);
    const running = job && (await runBootJob(visit, job));
    return running ?? { status: { ...visit.status, state: next } };
  } catch (error) {
    if (!(isCapstanError(error) && error.code === "tink.boot_failed")) throw error;
    return { status: bootingFailed(visit, error) };
  }
};

const bootingFailed = ({ context, status }: Visit, { message }: CapstanError) =>
  withCondition(
    { ...status, state: WorkflowState.failed },
    { type: WorkflowCondition.bootJobFailed, status: "True", reason: WorkflowReason.error, message },
    context.clock,
  );

/** Lets the machine boot from the network, and has board management boot it. */
export const prepare = (visit: Visit): Promise<Outcome> =>
  bootStep(visit, { allowPXE: true, next: WorkflowState.pending, of: preparingJob });

/** Undoes that; then the workflow ends as its last action did. */
export const finish = (visit: Visit): Promise<Outcome> =>
  bootStep(visit, { allowPXE: false, next: visit.status.currentState?.state ?? WorkflowState.success, of: postJob });

/** Looks after the time limit and the hand-over between agents while actions run. */
export const supervise = ({ context, status }: Visit): Outcome => {
  const now = context.clock.now();
  const next = armed(status, now);
  const left = timeLeft(next, now);
  if (left !== undefined && left <= 0) return { status: { ...next, state: WorkflowState.timeout } };
  return { status: handedOver(next), ...(left !== undefined && { requeueAfterMs: left }) };
};
