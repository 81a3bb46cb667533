import { Annotation } from "@capstan/contract";
import { isControlPlane } from "@capstan/contract/wire";
import type { ExternalObject } from "@capstan/kit/machines";
import { blockersIn } from "@capstan/kit/machines";
import { EventReason } from "../api/event-reasons.ts";
import { ofCluster } from "../object/indexes.ts";
import { isVersionCheck, preflightFailures, type PreflightFailure } from "./preflight.ts";
import type { MachineSetScope } from "./scope.ts";

/** When a set that must not make Machines looks again: control planes tell no one but their Cluster that they are done. */
export const preflightRetryMs = 15_000;

/** Returns why the set must not make Machines now; empty when it may. */
export const preflight = async (scope: MachineSetScope): Promise<readonly PreflightFailure[]> => {
  const { cluster, set, context, externals } = scope;
  const reference = cluster.spec.controlPlaneRef;
  const { namespace } = set.metadata;
  const { configRef } = set.spec.template.spec.bootstrap;
  const find = async (wanted: typeof reference | undefined): Promise<ExternalObject | undefined> =>
    wanted === undefined ? undefined : externals.find(context, wanted, namespace);
  const bootstrapTemplate = (await find(configRef))?.object;
  const controlPlaneMachines = ofCluster(context.cache, cluster).machines.filter(isControlPlane);
  return preflightFailures({
    cluster,
    set,
    controlPlane: await find(reference),
    controlPlaneMachines,
    bootstrapTemplate,
  });
};

/**
 * Called with the failures of a set that creates no Machines: an Event on the deployment, or on a set without one, names versions that do
 * not go together. Once, while the set's condition does not say the same; other failures end by themselves.
 */
export const recordFailures = (
  { context, deployment, set }: MachineSetScope,
  failures: readonly PreflightFailure[],
): void => {
  const known = blockersIn(set);
  const skews = failures.filter(({ check, message }) => isVersionCheck(check) && !known.includes(message));
  if (skews.length === 0) return;
  const messages = skews.map(({ message }) => message).join("; ");
  const message = `MachineSet ${set.metadata.name} creates no Machines: ${messages}; upgrade the control plane first, or set the annotation ${Annotation.skipPreflightChecks} to ${skews.map(({ check }) => check).join(",")}`;
  context.events.event(deployment ?? set, { type: "Warning", reason: EventReason.preflightFailed, message });
};
