import type { ConditionInput } from "@capstan/contract/wire";
import { absent, pending, removing } from "@capstan/kit/machine";
import type { MachineObservation } from "@capstan/kit/machine";
import { TinkerbellCondition, TinkerbellReason } from "../api/tinkerbell-conditions.ts";
import { TinkerbellAnnotation } from "../api/tinkerbell-marks.ts";
import { hardwareName, hasUserData } from "./hardware-facts.ts";
import { type MachineContext, note } from "./machine-uses.ts";
import { createPowerOffJob, deletePowerOffJobs, findPowerOffJob } from "./power-off-jobs.ts";
import { powerState } from "./power-off.ts";

const powerRemark = (status: "True" | "False" | "Unknown", reason: string, message = ""): readonly ConditionInput[] => [
  { type: TinkerbellCondition.poweredOff, status, reason, message },
];

/** Whether something that was made for the machine is still there, beside its Hardware. */
const hasWork = ({ uses }: MachineContext): boolean =>
  uses.workflows.list().length > 0 || uses.templates.list().length > 0;

/** How often a Job is looked at that this manager may not watch. */
const elsewherePollMs = 5000;

/**
 * What is left to do about a machine that is being deleted: no more work, no secrets, no power, then it is let go. `lasting`: a namespace
 * that stays, where a Job can be made when others are being deleted.
 */
export const observeRemoval = async (context: MachineContext, lasting: string): Promise<MachineObservation> => {
  const { clock, object, uses } = context;
  const hardware = uses.hardware.mine();
  const handle = hardware === undefined ? "" : hardwareName(hardware);
  if (hasWork(context)) return removing({ handle, step: "delete workflow" });
  if (hardware === undefined) {
    return uses.jobs.list().length === 0 ? absent() : removing({ handle, step: "delete jobs" });
  }
  if (hasUserData(hardware)) return removing({ handle, step: "wipe user data" });
  const job = await findPowerOffJob(context, lasting);
  const power = powerState(object, hardware, {
    job,
    now: clock.now(),
    problem: uses.boardManagement.problem(hardware),
    // Whoever is being deleted as well wants it off, too.
    others: uses.sameMachine.others(hardware).filter((other) => !uses.sameMachine.isLeaving(other.hardware)),
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
      if (power.state === "retry") return removing({ handle, ...words, conditions, step: "delete jobs" });
      const isElsewhere = job !== undefined && job.metadata.namespace !== hardware.metadata.namespace;
      return removing({ handle, ...(isElsewhere && { pollMs: elsewherePollMs }), ...words, conditions });
    }
  }
};

export const deleteWorkflow = async ({ uses }: MachineContext): Promise<void> => {
  for (const workflow of uses.workflows.list()) await uses.workflows.delete(workflow);
  for (const template of uses.templates.list()) await uses.templates.delete(template);
};

export const powerOff = async (context: MachineContext, lasting: string): Promise<void> => {
  const hardware = context.uses.hardware.mine();
  if (hardware === undefined) return;
  await createPowerOffJob(context, hardware, lasting);
  note(context, TinkerbellReason.poweringOff, `switching Hardware ${hardwareName(hardware)} off`);
};

export const wipeUserData = async (context: MachineContext): Promise<void> => {
  const { hardware } = context.uses;
  const mine = hardware.mine();
  if (mine === undefined) return;
  await hardware.patch({ spec: { userData: null } });
  note(context, TinkerbellReason.wiped, `took the bootstrap data from Hardware ${hardwareName(mine)}`);
};

/** Nobody knows any more how the machine would be switched off. */
const sayLost = (context: MachineContext): void => {
  const { hardwareName: lost = "", providerID } = context.object.spec ?? {};
  if (providerID === undefined) return;
  const message = `Hardware ${lost} (${providerID}) is gone: its machine was not switched off; do it yourself`;
  context.event({ type: "Warning", reason: TinkerbellReason.powerOffSkipped, message });
};

/** Lets the Hardware go: it is off, and nothing of the machine is left on it. */
export const release = async (context: MachineContext, lasting: string): Promise<void> => {
  const { hardware } = context.uses;
  const mine = hardware.mine();
  await deletePowerOffJobs(context, lasting);
  if (mine === undefined) {
    sayLost(context);
    return;
  }
  await hardware.release({
    metadata: { annotations: { [TinkerbellAnnotation.provisioned]: null } },
    spec: { userData: null },
  });
  note(context, TinkerbellReason.released, `let Hardware ${hardwareName(mine)} go`);
};
