import type { RateBucket } from "./rate-bucket.ts";
import type { Turn } from "./turn.ts";

interface Ticket {
  readonly flow: string;
  readonly until: number;
}

/** A ticket that is not used is dropped. */
const lateMs = 30_000;

/** The order in which those come back who a gate has sent away, where a limit is refilled as a whole: each flow in turn. */
export class Tickets {
  /** By limit, and then by object. */
  readonly #tickets = new Map<string, Map<string, Ticket>>();

  /** Delay after the next window before a caller should return, in milliseconds. */
  laterMs(
    name: string,
    { flow, key }: Turn,
    { bucket, ms, now }: { readonly bucket: RateBucket; readonly ms: number; readonly now: number },
  ): number {
    const { burst, windowMs } = bucket;
    if (windowMs === undefined || !Number.isFinite(burst)) return 0;
    const tickets = this.#tickets.get(name) ?? new Map<string, Ticket>();
    this.#tickets.set(name, tickets);
    for (const [other, { until }] of tickets) if (until < now) tickets.delete(other);
    if (!tickets.has(key)) tickets.set(key, { flow, until: 0 });
    const laterMs = Math.floor(rankOf(key, tickets) / Math.max(burst, 1)) * windowMs;
    // Its place stays that of its first coming.
    tickets.set(key, { flow, until: now + ms + laterMs + lateMs });
    return laterMs;
  }

  /** Called when a call was admitted. */
  redeem(key: string): void {
    for (const tickets of this.#tickets.values()) tickets.delete(key);
  }
}

/** The place of a ticket where flows take turns. */
const rankOf = (key: string, tickets: ReadonlyMap<string, Ticket>): number => {
  const counts = new Map<string, number>();
  const places = [...tickets].map(([of, { flow }], index) => {
    const round = counts.get(flow) ?? 0;
    counts.set(flow, round + 1);
    return { of, round, index };
  });
  return places.toSorted((a, b) => a.round - b.round || a.index - b.index).findIndex(({ of }) => of === key);
};
