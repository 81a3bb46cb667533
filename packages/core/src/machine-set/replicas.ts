import { Annotation, isCapstanError } from "@capstan/contract";
import type { Result } from "@capstan/runtime";
import { Machine } from "../api.ts";
import { listLive } from "../object/list-live.ts";
import { inSlowStart } from "../object/at-once.ts";
import { candidates, claimMachines } from "./claim.ts";
import { incompleteMachines, makeParts } from "./clones.ts";
import { createMachine } from "./create.ts";
import { deleteMachines, warn } from "./delete-machines.ts";
import { preflight, preflightRetryMs } from "./run-preflight.ts";
import type { ScalePlan } from "./scale-plan.ts";
import { planScale } from "./scale-plan.ts";
import type { Blocker, MachineSetScope } from "./scope.ts";
import { readTemplates } from "./templates.ts";

/** Machines that one reconcile makes at most: then the set says how far it is. */
const maxCreated = 500;

/** What brings the Machines that are seen to the wished number. */
export const planOf = (scope: MachineSetScope): ScalePlan =>
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
  const present = await listLive(context, Machine, { namespace, selector: set.spec.selector });
  scope.machines = await claimMachines(context, set, candidates(set, present));
  return planOf(scope);
};

/** The blocker that an error is. */
export const blockerOf = (error: unknown): Blocker => {
  const message = isCapstanError(error) ? error.message : "Please check controller logs for errors";
  const part = isCapstanError(error) ? error.details?.["template"] : undefined;
  return {
    message,
    olderReason: part === undefined ? "MachineCreationFailed" : `${String(part)}TemplateCloningFailed`,
  };
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
    const templates = await readTemplates(scope);
    await inSlowStart(incomplete, (machine) => makeParts(scope, templates, machine), log);
    if (planOf(scope).action !== "create") return {};
    const failures = await preflight(scope);
    if (failures.length > 0) {
      scope.blockers = failures.map((message) => ({ message, olderReason: "PreflightCheckFailed" }));
      return { requeueAfterMs: preflightRetryMs };
    }
    const live = await planLive(scope);
    const missing = live.action === "create" ? live.count : 0;
    const batch = Array.from({ length: Math.min(missing, maxCreated) });
    await inSlowStart(batch, () => createMachine(scope, templates), log);
    return missing > maxCreated ? { requeueAfterMs: 0 } : {};
  } catch (error) {
    scope.blockers = [blockerOf(error)];
    warn(scope, "FailedCreate", error);
    throw error;
  }
};

const scaleDown = async (scope: MachineSetScope): Promise<Result> => {
  const live = await planLive(scope);
  if (live.action === "delete") await deleteMachines(scope, live.machines);
  return {};
};

/** Makes the Machines that are missing, or deletes the surplus. */
export const reconcileReplicas = async (scope: MachineSetScope): Promise<Result> => {
  const { action } = planOf(scope);
  if (action === "delete") return scaleDown(scope);
  // No rollout waits for the Machines of an old set.
  const incomplete = scope.outdated ? [] : await incompleteMachines(scope);
  return action === "none" && incomplete.length === 0 ? {} : scaleUp(scope, incomplete);
};
