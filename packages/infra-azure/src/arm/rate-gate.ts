import type { Clock } from "@capstan/contract";
import { azureError } from "./arm-error.ts";

/** What Azure counts apart. */
export type RateKind = "reads" | "writes" | "deletes";

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Calls that are left to those who share the budget with us. */
const reserve = 2;
/** Azure refills every bucket by at least ten calls in a second. */
const refillMs = 1000;

/** The kind of a method. */
export const rateKindOf = (method: string): RateKind => {
  if (method === "GET" || method === "HEAD") return "reads";
  return method === "DELETE" ? "deletes" : "writes";
};

const remaining = (headers: Headers, kind: RateKind): number | undefined => {
  const values = ["subscription", "subscription-global"].flatMap((scope) => {
    const [value] = [headers[`x-ms-ratelimit-remaining-${scope}-${kind}`]].flat();
    return value === undefined || !/^\d+$/.test(value) ? [] : [Number(value)];
  });
  return values.length === 0 ? undefined : Math.min(...values);
};

/**
 * Holds calls back that Azure would refuse: one gate for each subscription and principal, as Azure counts. It learns from what answers
 * say is left, and from refusals. Nobody waits in it: who comes too early is told when to come back.
 */
export class RateGate {
  readonly #clock: Clock;
  readonly #until = new Map<RateKind, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Throws `azure.rate_limited` while calls of this kind are held. */
  check(kind: RateKind): void {
    const ms = (this.#until.get(kind) ?? 0) - this.#clock.now();
    if (ms <= 0) return;
    const message = `calls that Azure counts as ${kind} are held for ${Math.ceil(ms / 1000)} s, since the subscription has none left`;
    throw azureError("rateLimited", message, { retry: { kind: "after", ms } });
  }

  /** Takes down what an answer says is left. */
  note(kind: RateKind, headers: Headers): void {
    const left = remaining(headers, kind);
    if (left !== undefined && left <= reserve) this.hold(kind, refillMs);
  }

  hold(kind: RateKind, ms: number): void {
    this.#until.set(kind, Math.max(this.#until.get(kind) ?? 0, this.#clock.now() + ms));
  }
}
