import type { Clock } from "@capstan/contract";
import { CapstanError, isCapstanError } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { failureOf } from "./failures.ts";

/** A writing verb, and everything that its outcome depends on and that is seen from here. */
export interface HeldWrite {
  readonly verb: string;
  readonly inputs: string;
}

interface Refusal {
  readonly inputs: string;
  readonly error: CapstanError;
  /** For problems that are fixed where the controller cannot see it. */
  readonly until: number;
}

/**
 * Remembers, by object, how long the cloud asked not to be called, and which writes it rejected permanently: such a
 * write is not retried before one of its inputs changes, whatever wakes the object.
 */
export class WriteHolds {
  readonly #clock: Clock;
  readonly #holds = new Map<string, { readonly until: number; readonly error: CapstanError }>();
  readonly #refusals = new Map<string, Map<string, Refusal>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Does the work, unless it is held: then the error that held it is thrown again, with the time that is left. */
  async around<T>(id: string, { verb, inputs }: HeldWrite, work: () => Promise<T>): Promise<T> {
    this.#check(id);
    const refusal = this.#refusals.get(id)?.get(verb);
    const leftMs = (refusal?.until ?? 0) - this.#clock.now();
    if (refusal?.inputs === inputs && leftMs > 0) throw stillHeld(refusal.error, leftMs);
    this.#refusals.get(id)?.delete(verb);
    try {
      return await work();
    } catch (error) {
      if (isCapstanError(error)) this.#remember(id, { verb, inputs }, error);
      throw error;
    }
  }

  forget(id: string): void {
    this.#holds.delete(id);
    this.#refusals.delete(id);
  }

  /** The write shall not be retried with the same inputs before this time is over. */
  refuse(
    id: string,
    { verb, inputs }: HeldWrite,
    { error, forMs }: { readonly error: CapstanError; readonly forMs: number },
  ): void {
    const refusals = this.#refusals.get(id) ?? new Map<string, Refusal>();
    refusals.set(verb, { inputs, error, until: this.#clock.now() + forMs });
    this.#refusals.set(id, refusals);
  }

  #remember(id: string, held: HeldWrite, error: CapstanError): void {
    const { retry } = error;
    if (retry.kind === "backoff") return;
    if (retry.kind === "never") {
      this.refuse(id, held, { error, forMs: failureOf(error).requeueAfterMs ?? Number.POSITIVE_INFINITY });
    } else if (retry.unlessChanged === true) this.refuse(id, held, { error, forMs: retry.ms });
    else this.#holds.set(id, { until: this.#clock.now() + retry.ms, error });
  }

  #check(id: string): void {
    const hold = this.#holds.get(id);
    if (hold === undefined) return;
    const left = hold.until - this.#clock.now();
    if (left <= 0) {
      this.#holds.delete(id);
      return;
    }
    throw stillHeld(hold.error, left);
  }
}

/** The error that held a write, with the time that is left; what is refused for good stays so. */
const stillHeld = (error: CapstanError, ms: number): CapstanError => {
  const { code, details, message, reason, retry } = error;
  if (retry.kind === "never") return error;
  const left = retry.kind === "after" ? { ...retry, ms } : ({ kind: "after", ms } as const);
  return new CapstanError({ code, reason, message, details, retry: left, cause: error });
};

/** Returns the parts of an object that users change: spec, labels, annotations except `own`, and the deletion timestamp. */
const inputOf = (object: KubeObject | undefined, own: readonly string[]): readonly unknown[] => {
  const { uid, generation, labels, annotations = {}, deletionTimestamp } = object?.metadata ?? {};
  const others = Object.entries(annotations).filter(([name]) => !own.includes(name));
  return [uid, generation, labels, others, deletionTimestamp];
};

/** Returns a fingerprint of everything that a write depends on. `own`: annotations to ignore. */
export const inputsOf = (inputs: readonly (KubeObject | string | undefined)[], own: readonly string[] = []): string =>
  JSON.stringify(inputs.map((input) => (typeof input === "string" ? input : inputOf(input, own))));
