import type { Draft } from "@capstan/kit/engine";
import { fnv1a, keyOf, keyText, maxLabelLength, suffixedName } from "@capstan/kube-values";
import {
  type BmcJob,
  BmcMachine,
  claimedAmong,
  type Hardware,
  type OtherHardware,
  saysSecond,
} from "@capstan/tinkerbell/api";
import { TinkerbellReason } from "../api/tinkerbell-conditions.ts";
import type { TinkerbellMachine } from "../api/tinkerbell-machine.v1beta1.ts";
import { TinkerbellAnnotation } from "../api/tinkerbell-marks.ts";
import { hardwareName } from "./hardware-facts.ts";

/** Delay from the creation of a failed Job until it is recreated. */
const retryMs = 120_000;

/** Progress of switching off a machine that is being deleted. */
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

const suffix = "poweroff";

/** The name of a Job becomes a label of its Tasks. In a namespace that machines of several have in common it tells them apart. */
export const powerOffJobName = ({ metadata }: TinkerbellMachine, hardware: Hardware, namespace: string): string => {
  const { name = "", namespace: own = "" } = metadata;
  const plain = `${name}-${suffix}`;
  if (namespace === hardware.metadata.namespace && plain.length <= maxLabelLength) return plain;
  return suffixedName(name, `${fnv1a(`${own}/${name}`).toString(36)}-${suffix}`);
};

/** The Job in a namespace, which need not be that of the Hardware. */
export const powerOffDraft = (machine: TinkerbellMachine, hardware: Hardware, namespace: string): Draft<BmcJob> => ({
  metadata: { name: powerOffJobName(machine, hardware, namespace) },
  spec: {
    machineRef: { name: hardware.spec?.bmcRef?.name ?? "", namespace: hardware.metadata.namespace ?? "" },
    tasks: [{ powerAction: "off" }],
  },
});

const skip = `annotate the TinkerbellMachine with ${TinkerbellAnnotation.skipPowerOff}=true`;

const mend = `fix the board management, or let the Hardware go as it is: ${skip}`;

/** Returns what a user can do. Missing objects cannot be recreated in a namespace that is being deleted. */
const waysOut = (job: BmcJob, { metadata: { namespace }, spec }: Hardware): string => {
  if (job.metadata.namespace === namespace) return mend;
  const machine = `Machine ${namespace}/${spec?.bmcRef?.name ?? ""} of the group ${BmcMachine.group}`;
  return `nothing can be created in namespace ${namespace}, which is being deleted: where the Secret with the credentials is gone, have spec.connection.authSecretRef of ${machine} name one in another namespace; or switch the machine off yourself, and ${skip}`;
};

/** Returns whether another machine would be switched off: one that has other Hardware with an interface or the board management in common. */
const inUse = (
  machine: TinkerbellMachine,
  hardware: Hardware,
  others: readonly OtherHardware[],
): PowerState | undefined => {
  const rival = claimedAmong(hardware, others).find(({ isOneBody }) => isOneBody);
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

/** Returns the progress of switching off a machine before its Hardware is released. */
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
  const ways = waysOut(job, hardware);
  const failure = says(job, "Failed");
  if (failure !== undefined) {
    const why = failure === "" ? "" : `: ${failure}`;
    const message = `${name} could not switch the machine off by Machine ${hardware.spec.bmcRef.name}${why}; retrying; ${ways}`;
    const words = { reason: TinkerbellReason.powerOffFailed, message };
    const leftMs = Date.parse(job.metadata.creationTimestamp ?? "") + retryMs - now;
    return leftMs > 0 ? { state: "waiting", ...words, pollMs: leftMs } : { state: "retry", ...words };
  }
  if (problem !== undefined) {
    const message = `${name} switches the machine off; ${problem}; ${ways}`;
    return { state: "waiting", reason: TinkerbellReason.boardManagementUnreachable, message };
  }
  const said = job.status?.conditions?.find(({ type }) => type === "Running")?.message ?? "";
  const begun = said === "" ? `${name} switches the machine off` : `${name} switches the machine off: ${said}; ${ways}`;
  const message =
    job.status?.startTime === undefined && said === ""
      ? `${name} has not begun; Tinkerbell's board management controller has to see it; ${ways}`
      : begun;
  return { state: "waiting", reason: TinkerbellReason.poweringOff, message };
};
