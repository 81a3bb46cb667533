import { byText, rolloutBounds } from "@capstan/kube-values";

/** The strategy of a pool: the replacement of its machines, and the order in which surplus machines are deleted. */
export interface PoolStrategy {
  readonly maxSurge?: number | string;
  readonly maxUnavailable?: number | string;
  readonly deletePolicy?: "Oldest" | "Newest" | "Random";
}

/** One machine of a pool, as the plan sees it. */
export interface PlannedMember {
  readonly name: string;
  /** Its Machine is available. */
  readonly available: boolean;
  /** It, or its Machine, is on its way out. */
  readonly leaving: boolean;
  /** It is of the present template. */
  readonly upToDate: boolean;
  /** A user wants it to be deleted first. */
  readonly marked: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

export interface PoolPlan {
  /** Machines that there are to be at present, those on their way out too. Never fewer than there are: those are deleted one by one. */
  readonly capacity: number;
  /** Machines to delete now. */
  readonly remove: readonly string[];
}

const byAge =
  (policy: PoolStrategy["deletePolicy"]) =>
  (a: PlannedMember, b: PlannedMember): number =>
    (policy === "Newest" ? b.createdAt - a.createdAt : a.createdAt - b.createdAt) || byText(a.name, b.name);

/** First those that are marked, then those of an old template, then those that serve no one, then by the policy. */
const byPriority =
  (policy: PoolStrategy["deletePolicy"]) =>
  (a: PlannedMember, b: PlannedMember): number =>
    Number(b.marked) - Number(a.marked) ||
    Number(a.upToDate) - Number(b.upToDate) ||
    Number(a.available) - Number(b.available) ||
    byAge(policy)(a, b);

/**
 * Plans the size of a pool and which machines to delete: the surplus, and those of an old template while enough others
 * are available. A rollout may add up to `maxSurge` machines and leave `maxUnavailable` missing.
 */
export const planPool = ({
  capacity,
  members,
  replicas,
  strategy,
}: {
  /** Machines that the infrastructure has been asked for. */
  readonly capacity: number;
  readonly members: readonly PlannedMember[];
  readonly replicas: number;
  readonly strategy: PoolStrategy;
}): PoolPlan => {
  const { maxSurge, maxUnavailable } = rolloutBounds(strategy, replicas);
  const live = members.filter(({ leaving }) => !leaving);
  const outdated = live.filter(({ upToDate }) => !upToDate);
  const surge = Math.min(maxSurge, outdated.length);
  const wanted = replicas + surge;
  const candidates = live.toSorted(byPriority(strategy.deletePolicy));
  const spareOf = (some: readonly PlannedMember[]): number =>
    Math.max(0, some.filter(({ available }) => available).length - (replicas - maxUnavailable));
  // Of those that serve, only as many as are not needed, unless someone wants it so.
  const tooMany = candidates.slice(0, Math.max(0, live.length - wanted));
  const serving = tooMany.filter(({ available, marked }) => available && !marked);
  const needed = new Set(serving.slice(spareOf(live)));
  const surplus = tooMany.filter((member) => !needed.has(member));
  const staying = candidates.filter((member) => !surplus.includes(member));
  // What serves no one can be replaced at once; of the others, as many as are not needed.
  const replaceable = staying.filter(({ upToDate }) => !upToDate);
  const broken = replaceable.filter(({ available }) => !available);
  const replaced = replaceable.filter(({ available }) => available).slice(0, spareOf(staying));
  return {
    capacity: Math.max(capacity, wanted + members.length - live.length),
    remove: [...surplus, ...broken, ...replaced].map(({ name }) => name),
  };
};
