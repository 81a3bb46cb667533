import type { Clock } from "@capstan/contract";
import { isCapstanError, rfc3339 } from "@capstan/contract";
import type { MergePatch } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import type { ObjectChanges } from "./save/object-changes.ts";

/** Until when a request that was sent for the object may still take effect, RFC 3339: written before it is sent. */
export const openWritesAnnotation = "capstan.dev/open-writes-until";

/** Time after a timeout in which a request may still take effect: longer than the timeouts of clients and clouds. */
const settleMs = 90_000;
/** Time that a verb is assumed to keep sending requests if its end was not recorded. */
const verbMs = 60_000;

/** Returns whether an error is the other side's word that it is done with a request; that no answer came is not. */
const isAnswer = (error: unknown): boolean => {
  if (!isCapstanError(error)) return false;
  return error.answered ?? error.retry.kind !== "backoff";
};

/** One object's writes, as known to this process. */
interface Memory {
  /** Until then a write without an answer may still take effect. */
  until: number;
  /** The last two records that this process wrote on the object; it knows the results of requests that it sent since. */
  own: readonly string[];
}

/** Writes known to this process, by uid of the object. */
export class OpenWritesMemory {
  readonly #memories = new Map<string, Memory>();

  of(uid: string): Memory {
    const known = this.#memories.get(uid) ?? { until: 0, own: [] };
    this.#memories.set(uid, known);
    return known;
  }

  forget(uid: string): void {
    this.#memories.delete(uid);
  }
}

/** Outcome of a request: its error, if any, and the number of attempts; all but the last got no response. */
export type SentWrite = (outcome: { readonly attempts?: number | undefined; readonly error?: unknown }) => void;

interface Tools {
  readonly clock: Clock;
  readonly memory: Memory;
  /** True if anything is made outside that could be left behind. */
  readonly kept: boolean;
}

/**
 * Requests to the outside world that no one saw the answer of: because none came in time, or because the process died. They may be carried
 * out later, even after the object was let go. So the object says, before the first is sent, until when that is possible, and removal
 * looks again after that time. Where all were answered nothing is waited for.
 */
export class OpenWrites<O extends KubeObject> {
  readonly #changes: ObjectChanges<O>;
  readonly #tools: Tools;
  /** Requests that were sent and have no answer yet. */
  #sent = 0;
  readonly #accounted = new WeakSet<object>();

  constructor(changes: ObjectChanges<O>, tools: Tools) {
    this.#changes = changes;
    this.#tools = tools;
    const { memory } = tools;
    const noted = this.#noted;
    if (noted === undefined || memory.own.includes(noted)) return;
    // Another process wrote it: what came of its requests is not known.
    memory.own = [...memory.own, noted].slice(-2);
    memory.until = Math.max(memory.until, Date.parse(noted) || 0);
  }

  /** Returns the time in which a request without a response may still take effect. */
  get leftMs(): number {
    return Math.max(0, this.#tools.memory.until - this.#tools.clock.now());
  }

  /** True if the object says that something may be open, or was until it is settled. */
  get isNoted(): boolean {
    return this.#noted !== undefined;
  }

  /** Returns the patch that must be written before requests are sent; empty if it already is. */
  announcement(): MergePatch {
    const { clock, kept } = this.#tools;
    const now = clock.now();
    const enoughMs = settleMs + verbMs / 2;
    if (!kept || (Date.parse(this.#noted ?? "") || 0) - now >= enoughMs) return {};
    return this.#patch(now + settleMs + verbMs);
  }

  /** Does the work of a verb that makes things. */
  async around<T>(work: () => Promise<T>): Promise<T> {
    await this.#changes.writeNow(this.announcement());
    let answered = false;
    try {
      const result = await work();
      answered = this.#sent === 0;
      return result;
    } catch (error) {
      const isKnown = error instanceof Error && this.#accounted.has(error);
      answered = (isKnown || isAnswer(error)) && this.#sent === 0;
      throw error;
    } finally {
      this.#sent = 0;
      if (!answered) this.#leave();
    }
  }

  /** For requests whose failure does not fail the verb: call it before one is sent, and what it returns with how that ended. */
  readonly sent = (): SentWrite => {
    this.#sent += 1;
    return ({ attempts = 1, error }) => {
      if (attempts === 1 && (error === undefined || isAnswer(error))) this.#sent -= 1;
    };
  };

  /** Whatever was sent before this failure was said by `sent`. */
  readonly accounted = (error: unknown): void => {
    if (error instanceof Error) this.#accounted.add(error);
  };

  /** All is done: takes the note away, unless something may still come. */
  settle(): void {
    if (this.#noted === undefined || this.leftMs > 0) return;
    this.#changes.merge({ metadata: { annotations: { [openWritesAnnotation]: null } } });
  }

  get #noted(): string | undefined {
    return this.#changes.object.metadata.annotations?.[openWritesAnnotation];
  }

  #leave(): void {
    const { clock, kept, memory } = this.#tools;
    if (!kept) return;
    memory.until = Math.max(memory.until, clock.now() + settleMs);
    if ((Date.parse(this.#noted ?? "") || 0) < memory.until) this.#changes.merge(this.#patch(memory.until));
  }

  #patch(until: number): MergePatch {
    const { memory } = this.#tools;
    const note = rfc3339(until);
    memory.own = [...memory.own, note].slice(-2);
    return { metadata: { annotations: { [openWritesAnnotation]: note } } };
  }
}
