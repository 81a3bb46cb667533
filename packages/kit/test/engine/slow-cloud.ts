import { CapstanError, type Clock, type Retry } from "@capstan/contract";
import type { OperationState } from "@capstan/kit/engine";

interface SlowOperation {
  readonly tag: string;
  readonly endsAt: number;
  readonly failure: { readonly reason: string; readonly message: string; readonly retry: Retry } | undefined;
  readonly end: () => void;
}

/** How an operation that is begun next shall go wrong. */
export interface SlowFault {
  readonly reason: string;
  readonly retry: Retry;
  readonly times: number;
}

/**
 * A cloud whose calls take minutes and answer the id of an operation; operations that no one asks about end all the same. Where calls take
 * no time they answer no id.
 */
export class SlowCloud {
  /** Volumes by tag, with their sizes. Making one that is there changes nothing, as with a PUT. */
  readonly volumes = new Map<string, number>();
  /** Every call, in order. */
  readonly calls: string[] = [];
  onCall: (call: string, phase: "before" | "after") => void = () => undefined;
  readonly #clock: Clock;
  readonly #takesMs: number;
  readonly #operations = new Map<string, SlowOperation>();
  #fault: SlowFault | undefined;
  #begun = 0;

  constructor(clock: Clock, options: { readonly takesMs?: number } = {}) {
    this.#clock = clock;
    this.#takesMs = options.takesMs ?? 60_000;
  }

  disturb(fault: SlowFault): void {
    this.#fault = fault;
  }

  /** Operations under way are no longer known, though they come to their end. */
  forgetOperations(): void {
    this.#operations.clear();
  }

  make(tag: string, size: number): Promise<string | undefined> {
    return this.#begin("make", tag, () => this.volumes.set(tag, size));
  }

  destroy(tag: string): Promise<string | undefined> {
    return this.#begin("destroy", tag, () => this.volumes.delete(tag));
  }

  async find(tag: string): Promise<number | undefined> {
    this.calls.push("find");
    return this.volumes.get(tag);
  }

  async poll(id: string): Promise<OperationState> {
    this.calls.push("poll");
    const operation = this.#operations.get(id);
    if (operation === undefined) return { state: "lost" };
    if (this.#clock.now() < operation.endsAt) return { state: "running" };
    return operation.failure === undefined ? { state: "succeeded" } : { state: "failed", ...operation.failure };
  }

  count(call: string): number {
    return this.calls.filter((made) => made === call).length;
  }

  async #begin(call: string, tag: string, end: () => void): Promise<string | undefined> {
    this.calls.push(call);
    this.onCall(call, "before");
    const busy = [...this.#operations.values()].some(
      (operation) => operation.tag === tag && operation.endsAt > this.#clock.now(),
    );
    if (busy) {
      const message = `an operation on ${tag} is under way`;
      throw new CapstanError({ code: "slow.busy", reason: "Busy", message, retry: { kind: "after", ms: 10_000 } });
    }
    if (this.#takesMs === 0) {
      end();
      this.onCall(call, "after");
      return undefined;
    }
    this.#begun += 1;
    const id = `operation-${this.#begun}`;
    const fault = this.#fault !== undefined && this.#fault.times > 0 ? this.#fault : undefined;
    if (fault !== undefined) this.#fault = { ...fault, times: fault.times - 1 };
    const failure = fault && { reason: fault.reason, message: `${call} came to nothing`, retry: fault.retry };
    const endsAt = this.#clock.now() + this.#takesMs;
    this.#operations.set(id, { tag, endsAt, failure, end });
    if (failure === undefined) this.#clock.schedule(this.#takesMs, end);
    this.onCall(call, "after");
    return id;
  }
}
