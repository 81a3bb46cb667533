import type { Draft } from "@capstan/kit/engine";
import { keyOf, keyText } from "@capstan/kube-values";
import { type BmcJob, claimedAmong, type Hardware, type OtherHardware, saysSecond } from "@capstan/tinkerbell/api";
import { TinkerbellReason } from "../api/tinkerbell-conditions.ts";
import type { TinkerbellMachine } from "../api/tinkerbell-machine.v1beta1.ts";
import { TinkerbellAnnotation } from "../api/tinkerbell-marks.ts";
import { hardwareName } from "./hardware-facts.ts";

/** How long after its begin a Job that failed is made anew. */
const retryMs = 120_000;

/** Whether a machine that is being deleted is off. */
export type PowerState =
  /** Nothing more is to be done about it. */
  | { readonly state: "done"; readonly reason: string; readonly message?: string }
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

const mend = `fix the board management, or let the Hardware go as it is: annotate the TinkerbellMachine with ${TinkerbellAnnotation.skipPowerOff}=true`;

/** Whether another machine would be switched off: one that has other Hardware with an interface or the board management in common. */
const inUse = (
  machine: TinkerbellMachine,
  hardware: Hardware,
  others: readonly OtherHardware[],
): PowerState | undefined => {
  const rival = claimedAmong(others).find(({ isOneBody }) => isOneBody);
  if (rival === undefined) return undefined;
  const reason = TinkerbellReason.machineInUse;
  const problem = `Hardware ${hardwareName(hardware)}: ${saysSecond(hardware, rival)}`;
  const wasBooted = machine.spec?.providerID !== undefined;
  if (!wasBooted || rival.marks.some(({ kind }) => kind === "mac")) {
    return { state: "done", reason, message: `${problem}; another machine has that one, so the power stays on` };
  }
  // Only the board management is the same: whose it is shows when the reference is right, and that machine is switched off.
  return { state: "waiting", reason, message: `${problem}; another machine has that one and may run there; ${mend}` };
};

/** What is known of switching a machine off before its Hardware is let go. */
export const powerState = (
  machine: TinkerbellMachine,
  hardware: Hardware,
  {
    job,
    now,
    problem,
    others,
  }: {
    readonly job: BmcJob | undefined;
    readonly now: number;
    readonly problem: string | undefined;
    readonly others: readonly OtherHardware[];
  },
): PowerState => {
  if (hardware.spec?.bmcRef === undefined) return { state: "done", reason: TinkerbellReason.noBoardManagement };
  if (machine.metadata.annotations?.[TinkerbellAnnotation.skipPowerOff] === "true") {
    return { state: "done", reason: TinkerbellReason.powerOffSkipped };
  }
  const shared = inUse(machine, hardware, others);
  if (shared !== undefined) return shared;
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
