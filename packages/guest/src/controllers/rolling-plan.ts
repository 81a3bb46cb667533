/** A ReplicaSet of a Deployment. */
export interface Part {
  readonly name: string;
  readonly replicas: number;
  readonly available: number;
}

export interface RollingInput {
  readonly replicas: number;
  readonly maxSurge: number;
  readonly maxUnavailable: number;
  readonly current: Part;
  /** The oldest first. */
  readonly old: readonly Part[];
}

/** An absolute number, or a percentage of the replicas. */
export const amountOf = (value: number | string | undefined, replicas: number, round: "up" | "down"): number => {
  const text = value ?? "25%";
  if (typeof text === "number") return text;
  const share = (Number.parseInt(text, 10) * replicas) / 100;
  return round === "up" ? Math.ceil(share) : Math.floor(share);
};

const sum = (parts: readonly Part[], field: "replicas" | "available"): number =>
  parts.reduce((total, part) => total + part[field], 0);

/** Takes so many replicas from the parts, from each at most what `most` allows. */
const takeFrom = (parts: readonly Part[], count: number, most: (part: Part) => number) => {
  let left = count;
  return parts.map((part) => {
    const taken = Math.max(0, Math.min(left, most(part)));
    left -= taken;
    return { ...part, replicas: part.replicas - taken, available: Math.min(part.available, part.replicas - taken) };
  });
};

/**
 * Returns the next size of each ReplicaSet, by name: the current one grows and the old ones shrink as far as `maxSurge` and
 * `maxUnavailable` allow.
 */
export const rollingPlan = (input: RollingInput): ReadonlyMap<string, number> => {
  const { current, maxSurge, maxUnavailable, old, replicas } = input;
  const all = [current, ...old];
  const room = replicas + maxSurge - sum(all, "replicas");
  const grown = current.replicas > replicas ? replicas : Math.min(replicas, current.replicas + Math.max(0, room));
  // One of both has to be possible, or nothing would ever move.
  const spare = Math.max(maxUnavailable, maxSurge === 0 ? 1 : 0);
  const leastAvailable = replicas - spare;
  const comingUp = current.replicas - current.available;
  const removable = sum(all, "replicas") - leastAvailable - comingUp;
  const cleaned = takeFrom(old, removable, (part) => part.replicas - part.available);
  const surplus = sum([current, ...cleaned], "available") - leastAvailable;
  const shrunk = takeFrom(cleaned, surplus, (part) => part.replicas);
  return new Map([[current.name, grown], ...shrunk.map((part) => [part.name, part.replicas] as const)]);
};
