import type { ConditionInput } from "@capstan/contract/wire";
import { absent, pending, removing } from "@capstan/kit/machine";
import type { MachineObservation } from "@capstan/kit/machine";
import { isNamespaceTerminating } from "@capstan/kube";
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

/**
 * Has the machine switched off. In a namespace that is being deleted no Job can be made, nor the Task of one: it is made in that of the
 * machine then, and when that goes as well, in one that stays.
 */
export const powerOff = async (context: MachineContext, lasting: string): Promise<void> => {
  const { identity, object, uses } = context;
  const hardware = uses.hardware.mine();
  if (hardware === undefined) return;
  const places = [...new Set([hardware.metadata.namespace ?? "", identity.namespace, lasting])];
  for (const [index, namespace] of places.entries()) {
    try {
      await uses.jobs.create(powerOffDraft(object, hardware, namespace), namespace);
      note(context, TinkerbellReason.poweringOff, `switching Hardware ${hardwareName(hardware)} off`);
      return;
    } catch (error) {
      if (!isNamespaceTerminating(error) || index === places.length - 1) throw error;
    }
  }
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
export const release = async (context: MachineContext): Promise<void> => {
  const { hardware } = context.uses;
  const mine = hardware.mine();
  await deleteJobs(context);
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
