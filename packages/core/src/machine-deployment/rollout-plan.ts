/** One MachineSet as a plan sees it. */
export interface SetSize {
  readonly name: string;
  /** Replicas that are wished: `spec.replicas`. */
  readonly wished: number;
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
  /** The set of the present template; it wishes nothing while it does not exist. */
  readonly current: SetSize;
  /** The sets of older templates, the oldest first. */
  readonly old: readonly SetSize[];
}

/** The replicas each set shall wish. */
export interface ReplicaPlan {
  readonly current: number;
  /** By name. */
  readonly old: ReadonlyMap<string, number>;
}

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

/** Machines that exist or will, whatever happens to the wish meanwhile. */
const occupied = (set: SetSize): number => Math.max(set.wished, set.present);

const keepAll = (old: readonly SetSize[]): Map<string, number> =>
  new Map(old.map(({ name, wished }) => [name, wished]));

/** The current set takes what room there is below `limit`; beyond `desired` it gives back at once. */
const growCurrent = ({ desired, current, old }: RolloutState, limit: number): number => {
  if (current.wished >= desired) return desired;
  const room = limit - occupied(current) - sum(old, occupied);
  return Math.min(desired, current.wished + Math.max(0, room));
};

/** Available Machines a set may lose on its way to `wished`: which Machines it deletes is its own choice. */
const atRisk = ({ present, available }: SetSize, wished: number): number =>
  Math.min(available, Math.max(present - wished, 0));

const shrinkOld = (state: RolloutState, grown: number): Map<string, number> => {
  const { desired, maxUnavailable, current, old } = state;
  const wishes = keepAll(old);
  const all = [...old, current];
  const minAvailable = Math.max(desired - maxUnavailable, 0);
  const leaving =
    sum(old, ({ present, wished }) => Math.max(present - wished, 0)) +
    Math.max(current.present - Math.min(current.wished, grown), 0);
  const missing = Math.max(current.wished - current.available, 0);
  let budget = sum(all, ({ wished }) => wished) - leaving - minAvailable - missing;
  let spare =
    sum(all, ({ available }) => available) -
    minAvailable -
    sum(old, (set) => atRisk(set, set.wished)) -
    atRisk(current, grown);

  const shrink = (set: SetSize, most: number): void => {
    const before = wishes.get(set.name) ?? 0;
    const risked = atRisk(set, before);
    const room = Math.max(spare + risked, 0);
    const asked = before - Math.min(most, budget);
    const after = set.available <= room ? asked : Math.max(asked, Math.min(set.present - room, before));
    wishes.set(set.name, after);
    budget -= before - after;
    spare -= atRisk(set, after) - risked;
  };
  for (const set of old) if (budget > 0) shrink(set, Math.max(set.wished - set.available, 0));
  for (const set of old) if (budget > 0) shrink(set, wishes.get(set.name) ?? 0);
  return wishes;
};

/**
 * The set to take one replica from when nothing else moves because old Machines are not available: they are not
 * remediated, and nothing tells which one the set would delete, so the steps above never touch them.
 */
const stuckSet = ({ current, old }: RolloutState): SetSize | undefined => {
  const isSettled = [...old, current].every(({ wished, present }) => wished === present);
  if (!isSettled || current.available < current.wished) return undefined;
  return old.find(({ present, available }) => present > available);
};

/**
 * Replaces old replicas by current ones step by step: never more than `desired + maxSurge` Machines, and never a step
 * that could leave fewer than `desired - maxUnavailable` available ones. Old sets lose unavailable replicas first.
 */
export const planRollingUpdate = (state: RolloutState): ReplicaPlan => {
  const current = growCurrent(state, state.desired + state.maxSurge);
  const old = shrinkOld(state, current);
  const isMoving = current !== state.current.wished || state.old.some(({ name, wished }) => old.get(name) !== wished);
  const stuck = isMoving ? undefined : stuckSet(state);
  if (stuck !== undefined) old.set(stuck.name, stuck.wished - 1);
  return { current, old };
};

/**
 * Replaces a replica only once its Machine was deleted by somebody else: old sets give up what was deleted, the current
 * one takes its place. What a smaller `desired` makes surplus leaves the old sets, the oldest before the others.
 */
export const planOnDelete = (state: RolloutState): ReplicaPlan => {
  const old = state.old.map((set) => ({ ...set, wished: Math.min(set.wished, set.present) }));
  const current = growCurrent({ ...state, old }, state.desired);
  const wishes = keepAll(old);
  let surplus = sum(old, ({ wished }) => wished) + current - state.desired;
  for (const { name, wished } of old) {
    const taken = Math.min(wished, Math.max(surplus, 0));
    wishes.set(name, wished - taken);
    surplus -= taken;
  }
  return { current, old: wishes };
};

/** Gives `change` replicas to the sets, or takes them, in proportion to their size; what does not divide goes to the first. */
const spread = (sets: readonly SetSize[], change: number): Map<string, number> => {
  const total = sum(sets, ({ wished }) => wished);
  const shares = sets.map(({ wished }) => Math.trunc((wished * change) / total));
  let rest = change - shares.reduce((all, share) => all + share, 0);
  return new Map(
    sets.map(({ name, wished }, index) => {
      const one = Math.sign(rest);
      rest -= one;
      return [name, wished + (shares[index] ?? 0) + one];
    }),
  );
};

/**
 * Replaces nothing; only a total outside `desired` to `desired + maxSurge` is brought back into it. All sets with
 * replicas take part, the largest first; of equal ones the newest grows first and the oldest shrinks first.
 */
export const planPaused = (state: RolloutState): ReplicaPlan => {
  const byAge = [...state.old, state.current];
  const total = sum(byAge, ({ wished }) => wished);
  const target = Math.min(Math.max(total, state.desired), state.desired === 0 ? 0 : state.desired + state.maxSurge);
  const change = target - total;
  const wishes = keepAll(byAge);
  if (total === 0 && state.current.name !== "") wishes.set(state.current.name, target);
  else if (total === 0 && state.old.length > 0) wishes.set(state.old.at(-1)?.name ?? "", target);
  else if (change !== 0) {
    const ordered = change > 0 ? byAge.toReversed() : byAge;
    const active = ordered.filter(({ wished }) => wished > 0).sort((a, b) => b.wished - a.wished);
    for (const [name, wished] of spread(active, change)) wishes.set(name, wished);
  }
  const current = wishes.get(state.current.name) ?? 0;
  wishes.delete(state.current.name);
  return { current, old: wishes };
};
