import type { ExternalObject } from "@capstan/kit/external";
import { preflightFailures } from "./preflight.ts";
import type { MachineSetScope } from "./scope.ts";

/** When a set that must not make Machines looks again: control planes tell nobody but their Cluster that they are done. */
export const preflightRetryMs = 15_000;

/** Why the set must not make Machines now; empty when it may. */
export const preflight = async (scope: MachineSetScope): Promise<readonly string[]> => {
  const { cluster, set, context, externals } = scope;
  const reference = cluster.spec.controlPlaneRef;
  if (reference === undefined) return [];
  const { namespace } = set.metadata;
  const { configRef } = set.spec.template.spec.bootstrap;
  const find = async (wanted: typeof reference | undefined): Promise<ExternalObject | undefined> =>
    wanted === undefined ? undefined : externals.find(context, wanted, namespace);
  const bootstrapTemplate = (await find(configRef))?.object;
  return preflightFailures({ cluster, set, controlPlane: await find(reference), bootstrapTemplate });
};
