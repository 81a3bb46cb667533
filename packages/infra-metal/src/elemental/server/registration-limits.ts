import type { Clock } from "@capstan/contract";
import { limitMend } from "../registration/registered-hosts.ts";
import { refused } from "./answer.ts";

/** Hosts that may register at once by one registration after a pause, and how many a second from then on. */
const rate = { burst: 30, perSecond: 1 } as const;

interface Bucket {
  /** When it is full again. */
  fullAt: number;
  /** The registration of the last host. */
  last: Promise<unknown>;
}

export interface Admission {
  /** Maximum number of hosts of the registration; 0: any number. */
  readonly limit: number;
  /** Returns the number of its hosts. */
  readonly count: () => Promise<number>;
}

/** Limits the number of hosts of each registration, and the rate at which they register. Each replica has a rate limit of its own. */
export class RegistrationLimits {
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Registers a host, one after another of a registration, so that they count each other. Throws a refusal: 403, 429. */
  async admit<T>(registration: string, { count, limit }: Admission, register: () => Promise<T>): Promise<T> {
    const bucket = this.#take(registration);
    const turn = bucket.last
      .catch(() => undefined)
      .then(async () => {
        const present = limit === 0 ? 0 : await count();
        if (limit === 0 || present < limit) return register();
        throw refused(403, `the registration has ${present} hosts and may have ${limit}; ${limitMend}`);
      });
    bucket.last = turn;
    return turn;
  }

  #take(registration: string): Bucket {
    const now = this.#clock.now();
    for (const [name, { fullAt }] of this.#buckets) if (fullAt <= now) this.#buckets.delete(name);
    const bucket = this.#buckets.get(registration) ?? { fullAt: now, last: Promise.resolve() };
    const fullAt = bucket.fullAt + 1000 / rate.perSecond;
    if (fullAt - now > (rate.burst * 1000) / rate.perSecond) {
      throw refused(429, "too many hosts register by the registration at once; retry in a few seconds");
    }
    bucket.fullAt = fullAt;
    this.#buckets.set(registration, bucket);
    return bucket;
  }
}
