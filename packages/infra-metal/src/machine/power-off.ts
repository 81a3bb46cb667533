import type { Draft } from "@capstan/kit/engine";
import { keyOf, keyText } from "@capstan/kube-values";
import type { BmcJob, Hardware } from "@capstan/tinkerbell/api";
import { TinkerbellReason } from "../api/tinkerbell-conditions.ts";
import type { TinkerbellMachine } from "../api/tinkerbell-machine.v1beta1.ts";
import { TinkerbellAnnotation } from "../api/tinkerbell-marks.ts";

/** How long after its begin a Job that failed is made anew. */
const retryMs = 120_000;

/** Whether a machine that is being deleted is off. */
export type PowerState =
  /** Nothing more is to be done about it. */
  | { readonly state: "done"; readonly reason: string }
  | { readonly state: "unasked" }
  | { readonly state: "waiting"; readonly reason: string; readonly message: string; readonly pollMs?: number }
  /** It has failed long enough ago. */
  | { readonly state: "retry"; readonly reason: string; readonly message: string };

const says = ({ status }: BmcJob, type: string): string | undefined => {
  const found = status?.conditions?.find((each) => each.type === type && each.status === "True");
  return found === undefined ? undefined : (found.message ?? "");
};

export const powerOffDraft = (machine: TinkerbellMachine, hardware: Hardware): Draft<BmcJob> => ({
  metadata: { name: `${machine.metadata.name}-poweroff` },
  spec: {
    machineRef: { name: hardware.spec?.bmcRef?.name ?? "", namespace: hardware.metadata.namespace ?? "" },
    tasks: [{ powerAction: "off" }],
  },
});

const mend = `mend the board management, or let the Hardware go as it is: annotate the TinkerbellMachine with ${TinkerbellAnnotation.skipPowerOff}=true`;

/** What is known of switching a machine off before its Hardware is let go. */
export const powerState = (
  machine: TinkerbellMachine,
  hardware: Hardware,
  {
    job,
    now,
    problem,
  }: { readonly job: BmcJob | undefined; readonly now: number; readonly problem: string | undefined },
): PowerState => {
  if (hardware.spec?.bmcRef === undefined) return { state: "done", reason: TinkerbellReason.noBoardManagement };
  if (machine.metadata.annotations?.[TinkerbellAnnotation.skipPowerOff] === "true") {
    return { state: "done", reason: TinkerbellReason.powerOffSkipped };
  }
  if (job === undefined) return { state: "unasked" };
  if (says(job, "Completed") !== undefined) return { state: "done", reason: TinkerbellReason.off };
  const name = `Job ${keyText(keyOf(job))}`;
  const failure = says(job, "Failed");
  if (failure !== undefined) {
    const why = failure === "" ? "" : `: ${failure}`;
    const message = `${name} could not switch the machine off by Machine ${hardware.spec.bmcRef.name}${why}; it is tried again; ${mend}`;
    const words = { reason: TinkerbellReason.powerOffFailed, message };
    const leftMs = Date.parse(job.metadata.creationTimestamp ?? "") + retryMs - now;
    return leftMs > 0 ? { state: "waiting", ...words, pollMs: leftMs } : { state: "retry", ...words };
  }
  if (problem !== undefined) {
    const message = `${name} switches the machine off; ${problem}; ${mend}`;
    return { state: "waiting", reason: TinkerbellReason.boardManagementUnreachable, message };
  }
  const message =
    job.status?.startTime === undefined
      ? `${name} has not begun; Tinkerbell's board management controller has to see it; ${mend}`
      : `${name} switches the machine off`;
  return { state: "waiting", reason: TinkerbellReason.poweringOff, message };
};
