import { conditionOf } from "@capstan/contract/wire";
import { MachineCondition } from "@capstan/kit/machines";
import type { Machine, MachinePool } from "../api.ts";
import type { ExternalObservation } from "../external/observation.ts";

/**
 * Returns the differences of a pool's Machine from the pool's current template: the version that its Node runs, and
 * what its infrastructure machine reports in a condition UpToDate, where it has one.
 */
export const outdatedInPool = (
  machine: Machine,
  pool: MachinePool,
  infrastructure: ExternalObservation,
): readonly string[] => {
  const running = machine.status?.nodeInfo?.kubeletVersion ?? "";
  const { version = "" } = pool.spec.template.spec;
  const versions =
    version === "" || running === "" || running === version ? [] : [`Version ${running}, ${version} required`];
  if (infrastructure.state !== "found") return versions;
  const { contract, object } = infrastructure.external;
  const said = conditionOf(object, MachineCondition.upToDate, contract);
  if (said?.status !== "False") return versions;
  return [...versions, said.message === "" ? `${object.kind} is not up-to-date` : `${object.kind}: ${said.message}`];
};
