import type { FleetSize } from "@capstan/testing/fleet";

/** So many calls at once, and so many a second after that. */
export interface BucketLimit {
  readonly burst: number;
  readonly perSecond: number;
}

/** So many calls in a window. Windows follow one another without a gap. */
export interface WindowLimit {
  readonly calls: number;
  readonly windowMs: number;
}

/** One step of a fleet's way: calls that can be sent at the same moment, and the time the cloud then needs until the next step can begin. */
export interface FleetStep<F extends string> {
  /** Calls of the whole fleet, by the limit that counts them. */
  readonly calls: Readonly<Partial<Record<F, number>>>;
  readonly ms: number;
}

/** The ways of a fleet on a cloud: up until every machine has its Node, and down, machines first. */
export type FleetWays<F extends string> = Readonly<Record<"up" | "down", (size: FleetSize) => readonly FleetStep<F>[]>>;

/** Returns the totals of a whole fleet. */
export const allOf = ({ clusters, machines }: FleetSize): FleetSize => ({ clusters, machines: clusters * machines });

/** Takes so many calls at a moment, and returns when the last of them is let through. */
type Turnstile = (calls: number, at: number) => number;

const bucket = ({ burst, perSecond }: BucketLimit): Turnstile => {
  let tokens = burst;
  let seenAt = 0;
  return (calls, at) => {
    tokens = Math.min(burst, tokens + ((at - seenAt) * perSecond) / 1000) - calls;
    seenAt = at;
    return tokens >= 0 ? at : at - (tokens * 1000) / perSecond;
  };
};

const windows = ({ calls: limit, windowMs }: WindowLimit): Turnstile => {
  let start = 0;
  let used = 0;
  return (calls, at) => {
    const now = at - (at % windowMs);
    if (now > start) [start, used] = [now, 0];
    const further = Math.max(0, Math.ceil((used + calls) / limit) - 1);
    start += further * windowMs;
    used += calls - further * limit;
    return Math.max(at, start);
  };
};

/**
 * The shortest time in which a fleet can go a way, in milliseconds: what the limits of its cloud allow and what the cloud itself needs, for
 * whoever sends each call at the first possible moment and sees at once that something has ended. Nothing that Capstan did goes into it.
 * `startedAt` is where in the first window it begins.
 */
export const leastTimeMs = <F extends string>(
  steps: readonly FleetStep<F>[],
  limits: Readonly<Record<F, BucketLimit | WindowLimit>>,
  startedAt = 0,
): number => {
  const turnstiles = new Map<string, Turnstile>();
  for (const [family, limit] of Object.entries<BucketLimit | WindowLimit>(limits)) {
    turnstiles.set(family, "burst" in limit ? bucket(limit) : windows(limit));
  }
  const passed = (at: number, { calls }: FleetStep<F>): number =>
    Math.max(
      at,
      ...Object.entries<number>(calls as Record<F, number>).map(([family, count]) =>
        turnstiles.get(family)!(count, at),
      ),
    );
  return steps.reduce((at, step) => passed(at, step) + step.ms, startedAt) - startedAt;
};
