import type { Clock } from "@capstan/contract";
import type { RatePass, Turn } from "@capstan/kit";
import { RateGate } from "@capstan/kit";
import type { CallOptions, Hooks } from "@capstan/linode-client";
import { linodeError } from "./errors.ts";
import type { Call, CreateSlot } from "./linode-api.ts";

/** Creations of instances, of which Linode allows the fewest. Answers tell of the limits of all other calls. */
const creations = "POST linode/instances";
const rules = { [creations]: { burst: 20, windowMs: 15_000 } } as const;

const tooMany = 429;
/** Where a refusal does not say how long. */
const defaultWaitMs = 1000;

/** Options of a call in addition to the client's own. */
interface Gated extends CallOptions {
  readonly turn?: Turn;
  readonly slot?: CreateSlot;
}

/** The gate of one token, as Linode counts. */
export interface LinodeGate {
  readonly hooks: Pick<Hooks, "admit">;
  /** Room for one creation. Throws `linode.rate_limited` when there is none for some seconds. */
  reserveCreate(call: Call): Promise<CreateSlot>;
}

const passesOf = new WeakMap<CreateSlot, RatePass>();

export const linodeGate = (clock: Clock): LinodeGate => {
  const gate = new RateGate({
    clock,
    rules,
    firstAlone: true,
    refusal: (counted, ms) => {
      const what = counted === creations ? "creating instances" : counted;
      const message = `the API's rate limit for ${what} is reached; retrying in ${Math.ceil(ms / 1000)} s`;
      return linodeError("rateLimited", message, { retry: { kind: "after", ms } });
    },
  });
  const admit: NonNullable<Hooks["admit"]> = async ({ family, method }, options) => {
    const { signal, slot, turn } = options as Gated;
    const reserved = slot === undefined ? undefined : passesOf.get(slot);
    // Another try is another call.
    if (slot !== undefined) passesOf.delete(slot);
    const counts = [family];
    const pass = reserved ?? (await gate.admit({ counts, writes: method !== "GET", turn, signal }));
    return ({ rateLimit, retryAfterMs = defaultWaitMs, status }) => {
      if (status === undefined) pass.failed();
      else if (status === tooMany) pass.refused(counts, retryAfterMs);
      else pass.answered({ left: rateLimit === undefined ? {} : { [family]: rateLimit } });
    };
  };
  return {
    hooks: { admit },
    reserveCreate: async ({ signal, turn }) => {
      const pass = await gate.admit({ counts: [creations], writes: true, turn, signal });
      const slot: CreateSlot = { release: () => pass.unused() };
      passesOf.set(slot, pass);
      return slot;
    },
  };
};
