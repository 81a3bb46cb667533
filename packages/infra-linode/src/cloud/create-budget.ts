import type { RateLimit } from "@capstan/linode-client";
import { linodeError } from "./errors.ts";
import type { CreateSlot } from "./linode-api.ts";

const graceMs = 1000;

/**
 * How many instances a token may still create in the API's window, shared by every reconcile that uses the token. Creations under way
 * count as made, so that a hundred machines at once do not run into the limit together.
 */
export class CreateBudget {
  readonly #observed: () => RateLimit | undefined;
  #inFlight = 0;

  constructor(observed: () => RateLimit | undefined) {
    this.#observed = observed;
  }

  /** Throws `linode.rate_limited` until the next window when nothing is left. */
  reserve(now: number): CreateSlot {
    const limit = this.#observed();
    if (limit !== undefined && limit.resetAt > now && limit.remaining <= this.#inFlight) {
      const ms = limit.resetAt - now + graceMs;
      throw linodeError(
        "rateLimited",
        `${limit.limit} instances may be created in a window, and all are used; the next begins in ${Math.ceil(ms / 1000)} s`,
        { retry: { kind: "after", ms } },
      );
    }
    this.#inFlight += 1;
    let open = true;
    return {
      release: () => {
        if (open) this.#inFlight -= 1;
        open = false;
      },
    };
  }
}
