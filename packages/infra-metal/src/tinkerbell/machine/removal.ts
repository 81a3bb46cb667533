import type { ConditionInput } from "@capstan/contract/wire";
import { absent, pending, removing } from "@capstan/kit/machine";
import type { MachineObservation } from "@capstan/kit/machine";
import { TinkerbellCondition, TinkerbellReason } from "../api/tinkerbell-conditions.ts";
import { TinkerbellAnnotation } from "../api/tinkerbell-marks.ts";
import { hardwareName } from "./hardware-facts.ts";
import { type MachineContext, note, workPlaces } from "./machine-uses.ts";
import { createPowerOffJob, deletePowerOffJobs, findPowerOffJob, knownJobs } from "./power-off-jobs.ts";
import { powerState } from "./power-off.ts";
import { isUserDataLeft, type UserDataPlace, withoutUserData } from "./user-data.ts";

const powerRemark = (status: "True" | "False" | "Unknown", reason: string, message = ""): readonly ConditionInput[] => [
  { type: TinkerbellCondition.poweredOff, status, reason, message },
];

/** Returns the Workflows and Templates that were made for the machine and still exist. */
const workOf = (context: MachineContext) => {
  const { templates, workflows } = context.uses;
  const places = workPlaces(context);
  return { workflows: workflows.list(places), templates: templates.list(places) };
};

const hasWork = (context: MachineContext): boolean => Object.values(workOf(context)).some((work) => work.length > 0);

/** Interval at which a Job that this manager may not watch is read. */
const elsewherePollMs = 5000;

/** Passed to the steps of a removal. */
export interface RemovalOptions {
  /** A namespace that stays, where a Job can be made when others are being deleted. */
  readonly lasting: string;
  readonly userData: UserDataPlace;
}

/** Returns the next step for a machine that is being deleted: no work, no secrets, no power, then its release. */
export const observeRemoval = async (
  context: MachineContext,
  { lasting, userData }: RemovalOptions,
): Promise<MachineObservation> => {
  const { clock, object, uses } = context;
  const hardware = uses.hardware.mine();
  const handle = hardware === undefined ? "" : hardwareName(hardware);
  if (hasWork(context)) return removing({ handle, step: "delete workflow" });
  if (await isUserDataLeft(context, hardware, userData)) return removing({ handle, step: "wipe user data" });
  if (hardware === undefined) {
    return knownJobs(context, lasting).length === 0 ? absent() : removing({ handle, step: "delete jobs" });
  }
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

export const deleteWorkflow = async (context: MachineContext): Promise<void> => {
  const { uses } = context;
  const { templates, workflows } = workOf(context);
  for (const workflow of workflows) await uses.workflows.delete(workflow);
  for (const template of templates) await uses.templates.delete(template);
};

export const powerOff = async (context: MachineContext, lasting: string): Promise<void> => {
  const hardware = context.uses.hardware.mine();
  if (hardware === undefined) return;
  await createPowerOffJob(context, hardware, lasting);
  note(context, TinkerbellReason.poweringOff, `switching Hardware ${hardwareName(hardware)} off`);
};

/** No one knows any more how the machine would be switched off. */
const sayLost = (context: MachineContext): void => {
  const { hardwareName: lost = "", providerID } = context.object.spec ?? {};
  if (providerID === undefined) return;
  const message = `Hardware ${lost} (${providerID}) is gone: its machine was not switched off; do it yourself`;
  context.event({ type: "Warning", reason: TinkerbellReason.powerOffSkipped, message });
};

/** Lets the Hardware go: it is off, and nothing of the machine is left on it. */
export const release = async (context: MachineContext, { lasting, userData }: RemovalOptions): Promise<void> => {
  const { hardware } = context.uses;
  const mine = hardware.mine();
  await deletePowerOffJobs(context, lasting);
  if (mine === undefined) {
    sayLost(context);
    return;
  }
  const { annotations, spec } = withoutUserData(context, mine, userData);
  await hardware.release({
    metadata: { annotations: { ...annotations, [TinkerbellAnnotation.provisioned]: null } },
    spec,
  });
  note(context, TinkerbellReason.released, `let Hardware ${hardwareName(mine)} go`);
};
