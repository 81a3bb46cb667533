import type { RateLimit } from "@capstan/linode-client";
import { linodeError } from "./errors.ts";
import type { CreateSlot } from "./linode-api.ts";

/** Later than the API's window begins, because clocks differ. */
const graceMs = 1000;
/** Until an answer that is under way tells more. */
const answerMs = 1000;

/**
 * How many instances a token may still create in the API's window, shared by every reconcile that uses the token. Creations under way
 * count as made, and the first one goes alone, so that a hundred machines at once do not run into a limit that nobody knows yet.
 */
export class CreateBudget {
  readonly #observed: () => RateLimit | undefined;
  #inFlight = 0;
  #answered = false;

  constructor(observed: () => RateLimit | undefined) {
    this.#observed = observed;
  }

  /** Throws `linode.rate_limited` with the time to wait when nothing is left. */
  reserve(now: number): CreateSlot {
    const waitMs = this.#waitMs(now);
    if (waitMs !== undefined) {
      throw linodeError(
        "rateLimited",
        `as many instances are being created as the API allows at once; going on in ${Math.ceil(waitMs / 1000)} s`,
        { retry: { kind: "after", ms: waitMs } },
      );
    }
    this.#inFlight += 1;
    let open = true;
    return {
      release: () => {
        if (!open) return;
        open = false;
        this.#inFlight -= 1;
        this.#answered = true;
      },
    };
  }

  #waitMs(now: number): number | undefined {
    const limit = this.#observed();
    if (limit === undefined) return this.#answered || this.#inFlight === 0 ? undefined : answerMs;
    const windowIsOver = limit.resetAt <= now;
    const left = windowIsOver ? limit.limit : limit.remaining;
    if (left > this.#inFlight) return undefined;
    return windowIsOver || limit.remaining > 0 ? answerMs : limit.resetAt - now + graceMs;
  }
}
