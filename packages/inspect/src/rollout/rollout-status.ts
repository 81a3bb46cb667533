import { controllerOf } from "@capstan/contract/wire";
import { currentMachineSet } from "@capstan/core";
import type { MachineDeployment, MachineSet } from "@capstan/core/api";
import { countNoun } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { whyLacking } from "../state/lacking.ts";
import { unobserved } from "../state/unobserved.ts";

/** Progress of a rollout. `stuck`: it makes no progress by itself. */
export interface RolloutStatus {
  readonly state: "done" | "underway" | "stuck";
  readonly text: string;
}

export const underway = (text: string): RolloutStatus => ({
  state: "underway",
  text: `waiting for the rollout: ${text}`,
});

/** A reason behind what is said; nothing without one. */
export const behind = (why: string): string => (why === "" ? "" : `; ${why}`);

/** Why what is waited for does not come, behind what is said of it. */
const because = (object: KubeObject): string => behind(whyLacking(object));

/** Returns the progress of a deployment's rollout from its status and its MachineSets. `now` in milliseconds. */
export const rolloutStatus = (
  deployment: MachineDeployment,
  sets: readonly MachineSet[],
  now: number,
): RolloutStatus => {
  const { metadata, spec, status } = deployment;
  const wanted = spec.replicas ?? 1;
  const own = sets.filter((set) => controllerOf(set)?.uid === metadata.uid);
  const current = currentMachineSet(deployment, own, now);
  const { replicas: made = 0, availableReplicas: available = 0 } = current?.status ?? {};
  const old = own.reduce((sum, set) => sum + (set === current ? 0 : (set.status?.replicas ?? 0)), 0);
  if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 0)) {
    return underway(unobserved(whyLacking(deployment)));
  }
  if (spec.paused === true && (made < wanted || old > 0)) {
    return {
      state: "stuck",
      text: `machinedeployment/${metadata.name} is paused with ${made} of ${wanted} replicas up to date; run capstan rollout resume machinedeployment/${metadata.name}`,
    };
  }
  if (current === undefined) return underway(`the new MachineSet is not created yet${because(deployment)}`);
  if (made < wanted) return underway(`${made} of ${wanted} new replicas are created${because(deployment)}`);
  const lacking =
    available < wanted ? `${available} of ${wanted} new replicas are available${because(deployment)}` : undefined;
  if (old > 0) {
    const going = `${countNoun(old, "old replica is", "old replicas are")} pending deletion`;
    return underway(lacking === undefined ? going : `${going}, ${lacking}`);
  }
  if (made > wanted) {
    return underway(`${countNoun(made - wanted, "surplus replica is", "surplus replicas are")} pending deletion`);
  }
  if (lacking !== undefined) return underway(lacking);
  return { state: "done", text: `machinedeployment/${metadata.name} is rolled out: ${countNoun(wanted, "replica")}` };
};
