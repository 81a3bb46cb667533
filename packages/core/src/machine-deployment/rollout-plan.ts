/** One MachineSet as a plan sees it. */
export interface SetSize {
  readonly name: string;
  /** `spec.replicas`. */
  readonly replicas: number;
  /** Machines that exist, those on their way out included. */
  readonly present: number;
  readonly available: number;
}

/** A deployment and its sets, as a plan sees them. */
export interface RolloutState {
  readonly desired: number;
  /** Machines there may be beyond `desired`. */
  readonly maxSurge: number;
  /** Machines that may be missing from `desired`. */
  readonly maxUnavailable: number;
  /** The set of the present template; it wants nothing while it does not exist. */
  readonly current: SetSize;
  /** The sets of older templates, the oldest first. */
  readonly old: readonly SetSize[];
}

/** The replicas each set shall have. */
export interface ReplicaPlan {
  readonly current: number;
  /** By name. */
  readonly old: ReadonlyMap<string, number>;
}

/** All sets keep what they have. */
export const planNothing = ({ current, old }: Pick<RolloutState, "current" | "old">): ReplicaPlan => ({
  current: current.replicas,
  old: keepAll(old),
});

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

/** Machines that exist or will, whatever happens to the desired number meanwhile. */
const occupied = (set: SetSize): number => Math.max(set.replicas, set.present);

const keepAll = (old: readonly SetSize[]): Map<string, number> =>
  new Map(old.map(({ name, replicas }) => [name, replicas]));

/** The current set takes what room there is below `limit`; beyond `desired` it gives back at once. */
const growCurrent = ({ desired, current, old }: RolloutState, limit: number): number => {
  if (current.replicas >= desired) return desired;
  const room = limit - occupied(current) - sum(old, occupied);
  return Math.min(desired, current.replicas + Math.max(0, room));
};

/** Available Machines a set may lose on its way to `replicas`: which Machines it deletes is its own choice. */
const atRisk = ({ present, available }: SetSize, replicas: number): number =>
  Math.min(available, Math.max(present - replicas, 0));

const shrinkOld = (state: RolloutState, grown: number): Map<string, number> => {
  const { desired, maxUnavailable, current, old } = state;
  const planned = keepAll(old);
  const all = [...old, current];
  const minAvailable = Math.max(desired - maxUnavailable, 0);
  const leaving =
    sum(old, ({ present, replicas }) => Math.max(present - replicas, 0)) +
    Math.max(current.present - Math.min(current.replicas, grown), 0);
  const missing = Math.max(current.replicas - current.available, 0);
  let budget = sum(all, ({ replicas }) => replicas) - leaving - minAvailable - missing;
  let spare =
    sum(all, ({ available }) => available) -
    minAvailable -
    sum(old, (set) => atRisk(set, set.replicas)) -
    atRisk(current, grown);

  const shrink = (set: SetSize, most: number): void => {
    const before = planned.get(set.name) ?? 0;
    const risked = atRisk(set, before);
    const room = Math.max(spare + risked, 0);
    const asked = before - Math.min(most, budget);
    const after = set.available <= room ? asked : Math.max(asked, Math.min(set.present - room, before));
    planned.set(set.name, after);
    budget -= before - after;
    spare -= atRisk(set, after) - risked;
  };
  for (const set of old) if (budget > 0) shrink(set, Math.max(set.replicas - set.available, 0));
  for (const set of old) if (budget > 0) shrink(set, planned.get(set.name) ?? 0);
  return planned;
};

/**
 * The set to take one replica from when nothing else moves because old Machines are not available: they are not
 * remediated, and nothing shows which one the set would delete, so the steps above never touch them.
 */
const stuckSet = ({ current, old }: RolloutState): SetSize | undefined => {
  const isSettled = [...old, current].every(({ replicas, present }) => replicas === present);
  if (!isSettled || current.available < current.replicas) return undefined;
  return old.find(({ present, available }) => present > available);
};

/**
 * Replaces old replicas by current ones step by step: never more than `desired + maxSurge` Machines, and never a step
 * that could leave fewer than `desired - maxUnavailable` available ones, but where nothing else moves: then an old set with unavailable
 * Machines loses one replica, of whichever Machine it chooses. Old sets lose unavailable replicas first.
 */
export const planRollingUpdate = (state: RolloutState): ReplicaPlan => {
  const current = growCurrent(state, state.desired + state.maxSurge);
  const old = shrinkOld(state, current);
  const isMoving =
    current !== state.current.replicas || state.old.some(({ name, replicas }) => old.get(name) !== replicas);
  const stuck = isMoving ? undefined : stuckSet(state);
  if (stuck !== undefined) old.set(stuck.name, stuck.replicas - 1);
  return { current, old };
};

/**
 * Replaces a replica only once its Machine was deleted by another user: old sets give up what was deleted, the current
 * one takes its place. What a smaller `desired` makes surplus leaves the old sets, the oldest before the others.
 */
export const planOnDelete = (state: RolloutState): ReplicaPlan => {
  const old = state.old.map((set) => ({ ...set, replicas: Math.min(set.replicas, set.present) }));
  const current = growCurrent({ ...state, old }, state.desired);
  const planned = keepAll(old);
  let surplus = sum(old, ({ replicas }) => replicas) + current - state.desired;
  for (const { name, replicas } of old) {
    const taken = Math.min(replicas, Math.max(surplus, 0));
    planned.set(name, replicas - taken);
    surplus -= taken;
  }
  return { current, old: planned };
};

/** Gives `change` replicas to the sets, or takes them, in proportion to their size; what does not divide goes to the first. */
const spread = (sets: readonly SetSize[], change: number): Map<string, number> => {
  const total = sum(sets, ({ replicas }) => replicas);
  const shares = sets.map(({ replicas }) => Math.trunc((replicas * change) / total));
  let rest = change - shares.reduce((all, share) => all + share, 0);
  return new Map(
    sets.map(({ name, replicas }, index) => {
      const one = Math.sign(rest);
      rest -= one;
      return [name, replicas + (shares[index] ?? 0) + one];
    }),
  );
};

/**
 * Replaces nothing; only a total outside `desired` to `desired + maxSurge` is brought back into it. All sets with
 * replicas take part, the largest first; of equal ones the newest grows first and the oldest shrinks first.
 */
export const planPaused = (state: RolloutState): ReplicaPlan => {
  const byAge = [...state.old, state.current];
  const total = sum(byAge, ({ replicas }) => replicas);
  const target = Math.min(Math.max(total, state.desired), state.desired === 0 ? 0 : state.desired + state.maxSurge);
  const change = target - total;
  const planned = keepAll(byAge);
  if (total === 0 && state.current.name !== "") planned.set(state.current.name, target);
  else if (total === 0 && state.old.length > 0) planned.set(state.old.at(-1)?.name ?? "", target);
  else if (change !== 0) {
    const ordered = change > 0 ? byAge.toReversed() : byAge;
    const active = ordered.filter(({ replicas }) => replicas > 0).sort((a, b) => b.replicas - a.replicas);
    for (const [name, replicas] of spread(active, change)) planned.set(name, replicas);
  }
  const current = planned.get(state.current.name) ?? 0;
  planned.delete(state.current.name);
  return { current, old: planned };
};
