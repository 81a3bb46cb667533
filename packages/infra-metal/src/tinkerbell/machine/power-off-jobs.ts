import { isNamespaceTerminating } from "@capstan/kube";
import { isBeingDeleted } from "@capstan/kube-values";
import type { BmcJob, Hardware } from "@capstan/tinkerbell/api";
import { type MachineContext, workPlaces } from "./machine-uses.ts";
import { powerOffDraft, powerOffJobName } from "./power-off.ts";

/** Where the Job that switches a machine off may be: beside the Hardware, beside the machine, or where nothing is ever deleted. */
const placesOf = ({ identity }: MachineContext, hardware: Hardware, lasting: string): readonly string[] => [
  ...new Set([hardware.metadata.namespace ?? "", identity.namespace, lasting]),
];

/** Jobs of the machine where this manager watches. */
export const knownJobs = (context: MachineContext, lasting: string): readonly BmcJob[] =>
  context.uses.jobs.list([...workPlaces(context), lasting]);

/** Jobs of the machine; while the namespace of its Hardware may be going, also where this manager does not watch. */
const jobsOf = async (context: MachineContext, lasting: string): Promise<readonly BmcJob[]> => {
  const { object, uses } = context;
  const known = knownJobs(context, lasting);
  const hardware = uses.hardware.mine();
  if (known.length > 0 || hardware === undefined || !isBeingDeleted(hardware)) return known;
  const found: BmcJob[] = [];
  for (const namespace of placesOf(context, hardware, lasting)) {
    const job = await uses.jobs.find({ namespace, name: powerOffJobName(object, hardware, namespace) });
    if (job !== undefined) found.push(job);
  }
  return found;
};

/** The Job that switches the machine off, if it was made. */
export const findPowerOffJob = async (context: MachineContext, lasting: string): Promise<BmcJob | undefined> =>
  (await jobsOf(context, lasting))[0];

export const deletePowerOffJobs = async (context: MachineContext, lasting: string): Promise<void> => {
  for (const job of await jobsOf(context, lasting)) await context.uses.jobs.delete(job);
};

/**
 * In a namespace that is being deleted no Job can be made, nor the Task of one: it is made in that of the machine then, and when that goes
 * as well, in one that stays.
 */
export const createPowerOffJob = async (
  context: MachineContext,
  hardware: Hardware,
  lasting: string,
): Promise<void> => {
  const { object, uses } = context;
  const places = placesOf(context, hardware, lasting);
  for (const [index, namespace] of places.entries()) {
    try {
      await uses.jobs.create(powerOffDraft(object, hardware, namespace), namespace);
      return;
    } catch (error) {
      if (!isNamespaceTerminating(error) || index === places.length - 1) throw error;
    }
  }
};
