import { Annotation } from "@capstan/contract";
import type { Machine, MachineParts } from "@capstan/kit/machines";
import {
  claimMachines,
  deleteMachines,
  incompleteMachines,
  inSlowStart,
  listLive,
  machineName,
  makeMachine,
  makeParts,
  warnOf,
} from "@capstan/kit/machines";
import type { Result } from "@capstan/runtime";
import { Machine as Machines } from "../api.ts";
import { blockerOf } from "./blocker.ts";
import { candidates } from "./candidates.ts";
import { makingOf } from "./maker.ts";
import { preflight, preflightRetryMs, recordFailures } from "./run-preflight.ts";
import type { ScalePlan } from "./scale-plan.ts";
import { planScale } from "./scale-plan.ts";
import type { MachineSetScope } from "./scope.ts";
import { readParts } from "./templates.ts";

/** The template of names when a set names none. */
const defaultNaming = "{{ .machineSet.name }}-{{ .random }}";

/** Machines that one reconcile makes at most: then the set says how far it is. */
const maxCreated = 500;

/** Plans the change from the Machines in the cache to the desired number. */
const planOf = (scope: MachineSetScope): ScalePlan =>
  planScale({
    desired: scope.set.spec.replicas ?? 1,
    machines: scope.machines,
    order: scope.set.spec.deletion?.order ?? "Random",
    now: scope.context.clock.now(),
  });

/**
 * Looks at the API server itself before anything is made or deleted: however old the cache is, no Machine is made twice,
 * and none is deleted for one that is gone already.
 */
const planLive = async (scope: MachineSetScope): Promise<ScalePlan> => {
  const { context, set } = scope;
  const { namespace } = set.metadata;
  const present = await listLive(context, Machines, { namespace, selector: set.spec.selector });
  scope.machines = await claimMachines(context, makingOf(scope).maker, candidates(set, present));
  return planOf(scope);
};

const createMachine = async (scope: MachineSetScope, parts: MachineParts): Promise<void> => {
  const { set, cluster, context } = scope;
  const making = makingOf(scope);
  const variables = { ".machineSet.name": set.metadata.name ?? "", ".cluster.name": cluster.metadata.name ?? "" };
  const name = machineName(set.spec.machineNaming?.template ?? defaultNaming, variables, context.random);
  const { version, failureDomain } = set.spec.template.spec;
  const machine = await makeMachine(making, scope.sync.machines, parts, { name, version, failureDomain });
  scope.machines = [...scope.machines, machine];
  await makeParts(making, parts, machine);
};

/** Completes what was begun, then makes what is missing. */
const scaleUp = async (scope: MachineSetScope, incomplete: readonly Machine[]): Promise<Result> => {
  if (scope.set.metadata.annotations?.[Annotation.disableMachineCreate] === "true") {
    const message = `annotation ${Annotation.disableMachineCreate} is set`;
    scope.blockers = [{ message, olderReason: "MachineCreationFailed" }];
    return {};
  }
  const { log } = scope.context;
  try {
    const parts = await readParts(scope);
    await inSlowStart(incomplete, (machine) => makeParts(makingOf(scope), parts, machine), log);
    if (planOf(scope).action !== "create") return {};
    const failures = await preflight(scope);
    if (failures.length > 0) {
      recordFailures(scope, failures);
      scope.blockers = failures.map(({ message }) => ({ message, olderReason: "PreflightCheckFailed" }));
      return { requeueAfterMs: preflightRetryMs };
    }
    const live = await planLive(scope);
    const missing = live.action === "create" ? live.count : 0;
    const batch = Array.from({ length: Math.min(missing, maxCreated) });
    await inSlowStart(batch, () => createMachine(scope, parts), log);
    return missing > maxCreated ? { requeueAfterMs: 0 } : {};
  } catch (error) {
    scope.blockers = [blockerOf(error)];
    warnOf(makingOf(scope), "FailedCreate", error);
    throw error;
  }
};

const scaleDown = async (scope: MachineSetScope): Promise<Result> => {
  const live = await planLive(scope);
  if (live.action === "delete") await deleteMachines(makingOf(scope), live.machines);
  return {};
};

/** Makes the Machines that are missing, or deletes the surplus. */
export const reconcileReplicas = async (scope: MachineSetScope): Promise<Result> => {
  const { action } = planOf(scope);
  if (action === "delete") return scaleDown(scope);
  // No rollout waits for the Machines of an old set.
  const incomplete = scope.outdated ? [] : await incompleteMachines(makingOf(scope), scope.machines);
  return action === "none" && incomplete.length === 0 ? {} : scaleUp(scope, incomplete);
};
