/** Number done of all, since when, and the estimated remaining time. */
export interface Pace {
  readonly done: number;
  readonly of: number;
  readonly elapsedMs: number;
  /** `undefined` as long as too few are done to say. */
  readonly leftMs: number | undefined;
}

/** Number of latest steps that the speed is computed from. */
const window = 10;
/** Below so many nothing is said. */
const fewest = 3;

/** Follows a count; each call takes the present one and says how it goes. Times are milliseconds. */
export const createPace = (startedAt: number): ((done: number, of: number, now: number) => Pace) => {
  let times: readonly number[] = [];
  let best = 0;
  let reachedAt: number | undefined;
  return (done, of, now) => {
    if (done > best) times = [...times, ...Array.from({ length: done - best }, () => now)].slice(-window);
    best = Math.max(best, done);
    reachedAt = of > 0 && done >= of ? (reachedAt ?? now) : undefined;
    const [first] = times;
    const last = times.at(-1);
    const known = first !== undefined && last !== undefined && times.length >= fewest && last > first && done < of;
    const leftMs = known ? Math.max(0, ((last - first) / (times.length - 1)) * (of - done) - (now - last)) : undefined;
    return { done, of, elapsedMs: (reachedAt ?? now) - startedAt, leftMs };
  };
};

/** `40 s`, `3 min 20 s`, `1 h 5 min`: rounded to what is worth saying. */
const spanOf = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

/** `57 of 201 running, about 40 s left, 25 s so far`; at the end after how long that was. */
export const paceText = ({ done, of, elapsedMs, leftMs }: Pace): string => {
  const left = leftMs === undefined ? "" : `, about ${spanOf(Math.max(1000, leftMs))} left`;
  return `${done} of ${of} Machine${of === 1 ? "" : "s"} running${left}, ${done < of ? `${spanOf(elapsedMs)} so far` : `after ${spanOf(elapsedMs)}`}`;
};
