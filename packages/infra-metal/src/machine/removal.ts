import type { ConditionInput } from "@capstan/contract/wire";
import { absent, pending, removing } from "@capstan/kit/machine";
import type { MachineObservation } from "@capstan/kit/machine";
import { TinkerbellCondition, TinkerbellReason } from "../api/tinkerbell-conditions.ts";
import { TinkerbellAnnotation } from "../api/tinkerbell-marks.ts";
import { hardwareName, hasUserData } from "./hardware-facts.ts";
import { type MachineContext, note } from "./machine-uses.ts";
import { powerOffDraft, powerState } from "./power-off.ts";

const jobOf = ({ uses }: MachineContext) => uses.jobs.list()[0];

const powerRemark = (status: "True" | "False" | "Unknown", reason: string, message = ""): readonly ConditionInput[] => [
  { type: TinkerbellCondition.poweredOff, status, reason, message },
];

/** Whether something that was made for the machine is still there, beside its Hardware. */
const hasWork = ({ uses }: MachineContext): boolean =>
  uses.workflows.list().length > 0 || uses.templates.list().length > 0;

/** What is left to do about a machine that is being deleted: no more work, no secrets, no power, then it is let go. */
export const observeRemoval = (context: MachineContext): MachineObservation => {
  const { clock, object, uses } = context;
  const hardware = uses.hardware.mine();
  const handle = hardware === undefined ? "" : hardwareName(hardware);
  if (hasWork(context)) return removing({ handle, step: "delete workflow" });
  if (hardware === undefined) {
    return jobOf(context) === undefined ? absent() : removing({ handle, step: "delete jobs" });
  }
  if (hasUserData(hardware)) return removing({ handle, step: "wipe user data" });
  const power = powerState(object, hardware, {
    job: jobOf(context),
    now: clock.now(),
    problem: uses.boardManagement.problem(hardware),
    others: uses.sameMachine.others(hardware),
  });
  switch (power.state) {
    case "unasked":
      return removing({ handle, step: "power off" });
    case "done": {
      const status = power.reason === TinkerbellReason.off ? "True" : "Unknown";
      return pending({ handle, reason: power.reason, conditions: powerRemark(status, power.reason, power.message) });
    }
    default: {
      const { state: _, ...words } = power;
      const conditions = powerRemark("False", power.reason, power.message);
      return removing({ handle, ...words, conditions, ...(power.state === "retry" && { step: "delete jobs" }) });
    }
  }
};

export const deleteWorkflow = async ({ uses }: MachineContext): Promise<void> => {
  for (const workflow of uses.workflows.list()) await uses.workflows.delete(workflow);
  for (const template of uses.templates.list()) await uses.templates.delete(template);
};

export const deleteJobs = async ({ uses }: MachineContext): Promise<void> => {
  for (const job of uses.jobs.list()) await uses.jobs.delete(job);
};

export const powerOff = async (context: MachineContext): Promise<void> => {
  const { object, uses } = context;
  const hardware = uses.hardware.mine();
  if (hardware === undefined) return;
  await uses.jobs.create(powerOffDraft(object, hardware), hardware.metadata.namespace ?? "");
  note(context, TinkerbellReason.poweringOff, `switching Hardware ${hardwareName(hardware)} off`);
};

export const wipeUserData = async (context: MachineContext): Promise<void> => {
  const { hardware } = context.uses;
  const mine = hardware.mine();
  if (mine === undefined) return;
  await hardware.patch({ spec: { userData: null } });
  note(context, TinkerbellReason.wiped, `took the bootstrap data from Hardware ${hardwareName(mine)}`);
};

/** Lets the Hardware go: it is off, and nothing of the machine is left on it. */
export const release = async (context: MachineContext): Promise<void> => {
  const { hardware } = context.uses;
  const mine = hardware.mine();
  await deleteJobs(context);
  if (mine === undefined) return;
  await hardware.release({
    metadata: { annotations: { [TinkerbellAnnotation.provisioned]: null } },
    spec: { userData: null },
  });
  note(context, TinkerbellReason.released, `let Hardware ${hardwareName(mine)} go`);
};
