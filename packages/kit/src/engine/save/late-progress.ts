import { longestProgressDelayMs, progressDelayMs } from "@capstan/contract/wire";
import { keyOf, keyText } from "@capstan/kube-values";
import type { Environment, Request, RequestSink, Source } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";

/** Puts what waited on the object as it is by now; the object as stored. */
type Write<O extends KubeObject> = (present: O) => Promise<O>;

/** A write that was done: the version of the object that it was about, and the one that came of it. */
export interface LateWrite<O extends KubeObject> {
  readonly before: O;
  readonly after: O;
}

interface Held {
  readonly dueAt: number;
  readonly cancel: () => void;
}

/** An entry this much overdue belongs to an object that is gone. */
const staleMs = 60_000;

/** So often the progress of one controller's objects is written, as long as none waits too long for that. */
const intervalMs = 100;
/** Updates of a few objects are not spread. */
const burstMs = 10 * intervalMs;

/** Spreads progress over time: of many objects most are past it when their turn comes. */
class Turns {
  /** When the last turn that was given out would be, if none had been brought forward. */
  #last = 0;

  /** When progress of now is written, in milliseconds since the epoch. */
  next(now: number): number {
    const soonest = now + progressDelayMs;
    const latest = now + longestProgressDelayMs;
    const turn = Math.max(soonest, this.#last);
    this.#last = Math.min(turn + intervalMs, latest + burstMs);
    return Math.min(Math.max(soonest, turn - burstMs), latest);
  }
}

/**
 * Holds status writes that report progress only, so that several within a second become one, and one that comes shortly before news
 * becomes part of it. Where many objects make progress at once they are held longer, and most of it becomes part of news. A source of the controller: what could not be written wakes the object, and nothing is written once it stops.
 */
export class LateProgress<O extends KubeObject = KubeObject> implements Source {
  readonly #kind: Resource<O>;
  readonly #held = new Map<string, Held>();
  readonly #turns = new Turns();
  /** Writes that are under way; nothing comes of those that fail. */
  readonly #writing = new Map<string, Promise<LateWrite<O> | undefined>>();
  #running: { readonly queue: RequestSink; readonly environment: Environment } | undefined;

  constructor(kind: Resource<O>) {
    this.#kind = kind;
  }

  start(queue: RequestSink, environment: Environment, { signal }: { readonly signal: AbortSignal }): void {
    this.#running = { queue, environment };
    const stop = (): void => {
      this.#running = undefined;
      for (const { cancel } of this.#held.values()) cancel();
      this.#held.clear();
    };
    signal.addEventListener("abort", stop, { once: true });
  }

  /**
   * Called when a reconcile of the object starts and recomputes everything: the held write is dropped but stays due. Returns
   * the write that is under way, if there is one.
   */
  supersede(object: O): Promise<LateWrite<O> | undefined> | undefined {
    const name = keyText(keyOf(object));
    this.#held.get(name)?.cancel();
    return this.#writing.get(name);
  }

  /**
   * Writes when the time comes, or, without `write`, has the object reconciled again; false when it has come already, since the first of
   * several set it.
   */
  hold(object: O, write?: Write<O>): boolean {
    if (this.#running === undefined) return false;
    const { clock } = this.#running.environment;
    const request = keyOf(object);
    const now = clock.now();
    const dueAt = this.#held.get(keyText(request))?.dueAt ?? this.#turns.next(now);
    if (dueAt <= now) return false;
    const cancel = clock.schedule(dueAt - now, () => {
      if (write === undefined) this.#wake(request);
      else this.#begin(request, write);
    });
    this.#held.set(keyText(request), { dueAt, cancel });
    this.#forgetStale(now);
    return true;
  }

  /** The status is up to date, or the object is gone. */
  settle(object: O): void {
    this.#held.delete(keyText(keyOf(object)));
  }

  #begin(request: Request, write: Write<O>): void {
    const name = keyText(request);
    const writing = this.#write(request, write).finally(() => this.#writing.delete(name));
    this.#writing.set(name, writing);
  }

  async #write(request: Request, write: Write<O>): Promise<LateWrite<O> | undefined> {
    if (this.#running === undefined) return undefined;
    const { cache, log } = this.#running.environment;
    const present = cache.get<O>(this.#kind, request);
    this.#held.delete(keyText(request));
    if (present === undefined) return undefined;
    try {
      return { before: present, after: await write(present) };
    } catch (error) {
      log.debug("cannot write a status; requeuing the object", { error, ...request });
      this.#wake(request);
      return undefined;
    }
  }

  /** Overdue: the reconcile writes itself, and when it fails the queue waits longer and longer. */
  #wake(request: Request): void {
    if (this.#running === undefined) return;
    const { environment, queue } = this.#running;
    this.#held.set(keyText(request), { dueAt: environment.clock.now(), cancel: () => undefined });
    queue.add(request);
  }

  #forgetStale(now: number): void {
    for (const [name, { dueAt }] of this.#held) {
      // In the order of their coming, so that nothing after this one is much older.
      if (dueAt + staleMs > now) return;
      this.#held.delete(name);
    }
  }
}
