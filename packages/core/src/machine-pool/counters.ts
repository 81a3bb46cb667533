import type { VersionCount } from "@capstan/contract/wire";
import type { Counters, Machine } from "@capstan/kit/machines";
import { countMachines, machineVersions, sumVersions } from "@capstan/kit/machines";
import type { MachinePool } from "../api.ts";
import type { Node } from "../object/workload-kinds.ts";

/** Counters of a pool, its versions, and when time alone will change them. */
export interface PoolCounters extends Counters {
  readonly versions: readonly VersionCount[] | undefined;
  readonly remainingMs?: number;
}

const kubeletVersion = (node: Node): string | undefined => {
  const version = node.status?.nodeInfo?.["kubeletVersion"];
  return typeof version === "string" && version !== "" ? version : undefined;
};

/** When a Node became ready, in milliseconds since the epoch; `undefined` when it is not. */
const readySince = (node: Node): number | undefined => {
  const ready = node.status?.conditions?.find(({ type }) => type === "Ready");
  if (ready?.status !== "True") return undefined;
  const since = Date.parse(ready.lastTransitionTime ?? "");
  return Number.isNaN(since) ? 0 : since;
};

/** By Nodes alone: one is up to date if it runs the version that the pool wants, or the pool wants none. */
const ofNodes = ({ spec, status }: MachinePool, nodes: readonly Node[], now: number): PoolCounters => {
  const { minReadySeconds = 0, version } = spec.template.spec;
  const waits = nodes.flatMap((node) => {
    const since = readySince(node);
    return since === undefined ? [] : [since + minReadySeconds * 1000 - now];
  });
  const later = waits.filter((ms) => ms > 0);
  return {
    replicas: status?.replicas ?? 0,
    readyReplicas: waits.length,
    availableReplicas: waits.length - later.length,
    upToDateReplicas: nodes.filter((node) => version === undefined || kubeletVersion(node) === version).length,
    versions: sumVersions(
      nodes.flatMap((node) => {
        const running = kubeletVersion(node);
        return running === undefined ? [] : [{ version: running, replicas: 1 }];
      }),
    ),
    ...(later.length === 0 ? {} : { remainingMs: Math.min(...later) }),
  };
};

/**
 * Returns the replica counters of a pool: from its Machines where it has them, from its Nodes otherwise. The total is
 * the one that the infrastructure reports. `undefined` while unknown.
 */
export const poolCounters = (
  pool: MachinePool,
  seen: { readonly machines: readonly Machine[] | undefined; readonly nodes: readonly Node[] | undefined },
  now: number,
): PoolCounters | undefined => {
  const { machines, nodes } = seen;
  if (machines !== undefined) {
    const replicas = pool.status?.replicas ?? machines.length;
    return { ...countMachines(machines), replicas, versions: machineVersions(machines) };
  }
  return nodes === undefined ? undefined : ofNodes(pool, nodes, now);
};
