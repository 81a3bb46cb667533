import { Annotation } from "@capstan/contract";
import { isBeingDeleted, keyOf, keyText } from "@capstan/kube-values";
import { Machine, MachineHealthCheck } from "../api.ts";
import { byCluster } from "../object/indexes.ts";
import { markedUnchecked } from "./machine-marks.ts";
import type { HealthCheckScope } from "./scope.ts";
import { isTarget } from "./targets.ts";

/** The Machines that this check was about, and that no check is about any more. A paused one stays as it is. */
const released = ({ context, check, cluster, judged }: HealthCheckScope): readonly Machine[] => {
  const { namespace = "" } = check.metadata;
  const checked = new Set(judged.map(({ machine }) => machine.metadata.name));
  const checks = context.cache.byIndex(MachineHealthCheck, byCluster, keyText(keyOf(cluster)));
  return (check.status?.targets ?? []).flatMap((name) => {
    const machine = checked.has(name) ? undefined : context.cache.get(Machine, { namespace, name });
    if (machine === undefined || isBeingDeleted(machine)) return [];
    const isPaused = machine.metadata.annotations?.[Annotation.paused] !== undefined;
    return isPaused || checks.some((other) => isTarget(other, machine)) ? [] : [machine];
  });
};

/**
 * Takes back what was said about Machines that the check has let go, so that no one replaces them for it: they were exempted,
 * or their labels changed.
 */
export const release = async (scope: HealthCheckScope): Promise<void> => {
  for (const machine of released(scope)) {
    scope.context.signal.throwIfAborted();
    await scope.machineSaver.saveStatus(machine, markedUnchecked(machine), scope.context);
  }
};
