import type { MachineSet } from "../api.ts";
import { byAge } from "./template-match.ts";

/** The replicas each set shall have. */
export interface ReplicaPlan {
  /** For the set of the present template, which may not exist yet. */
  readonly current: number;
  /** By name, for the sets of older templates. */
  readonly old: ReadonlyMap<string, number>;
}

const replicasOf = (set: MachineSet): number => set.spec.replicas ?? 0;

const sum = (counts: Iterable<number>): number => [...counts].reduce((total, count) => total + count, 0);

/**
 * Brings the total to `desired` without replacing anything: what is missing is added to the current set, what is surplus
 * leaves the old sets first, the oldest before the others. With `followDeletions` (strategy OnDelete) an old set
 * gives up replicas that were deleted by hand, and the current one takes their place.
 */
export const planReplicas = (input: {
  readonly desired: number;
  readonly current: MachineSet | undefined;
  readonly old: readonly MachineSet[];
  readonly followDeletions: boolean;
}): ReplicaPlan => {
  const old = new Map(
    [...input.old].sort(byAge).map((set) => {
      const replicas = replicasOf(set);
      return [
        set.metadata.name ?? "",
        input.followDeletions ? Math.min(replicas, set.status?.replicas ?? replicas) : replicas,
      ];
    }),
  );
  let current = input.current === undefined ? 0 : replicasOf(input.current);
  let surplus = sum(old.values()) + current - input.desired;
  for (const [name, replicas] of old) {
    const taken = Math.min(replicas, Math.max(0, surplus));
    old.set(name, replicas - taken);
    surplus -= taken;
  }
  current -= surplus;
  return { current, old };
};
