import { progressDelayMs } from "@capstan/contract/wire";
import type { Environment, Request, RequestSink, Source } from "@capstan/runtime";
import { requestFor } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import { keyOf } from "./object-changes.ts";

type Write = (present: KubeObject) => Promise<void>;

interface Held {
  readonly dueAt: number;
  readonly cancel: () => void;
}

/** An entry this much overdue belongs to an object that is gone. */
const staleMs = 60_000;

/**
 * Holds status writes that tell of progress only, so that several within a second become one, and one that comes shortly before news
 * becomes part of it. A source of the controller: what could not be written wakes the object, and nothing is written once it stops.
 */
export class LateProgress implements Source {
  readonly #kind: Resource;
  /** By the time they are due: each waits equally long. */
  readonly #held = new Map<string, Held>();
  #running: { readonly queue: RequestSink; readonly environment: Environment } | undefined;

  constructor(kind: Resource) {
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

  /** A reconcile of the object begins and works everything out anew: what is held is not written, but stays due. */
  supersede(object: KubeObject): void {
    this.#held.get(nameOf(requestFor(keyOf(object))))?.cancel();
  }

  /** Writes when the time comes; false when it has come already, since the first of several set it. */
  hold(object: KubeObject, write: Write): boolean {
    if (this.#running === undefined) return false;
    const { clock } = this.#running.environment;
    const request = requestFor(keyOf(object));
    const now = clock.now();
    const dueAt = this.#held.get(nameOf(request))?.dueAt ?? now + progressDelayMs;
    if (dueAt <= now) return false;
    const cancel = clock.schedule(dueAt - now, () => void this.#write(request, write));
    this.#held.set(nameOf(request), { dueAt, cancel });
    this.#forgetStale(now);
    return true;
  }

  /** The status says everything, or nobody is left to be told. */
  settle(object: KubeObject): void {
    this.#held.delete(nameOf(requestFor(keyOf(object))));
  }

  async #write(request: Request, write: Write): Promise<void> {
    if (this.#running === undefined) return;
    const { environment, queue } = this.#running;
    const { cache, clock, log } = environment;
    const present = cache.get(this.#kind, request);
    this.#held.delete(nameOf(request));
    if (present === undefined) return;
    try {
      await write(present);
    } catch (error) {
      log.debug("a status could not be written; the object is reconciled again", { error, ...request });
      // Overdue: the reconcile writes itself, and when it fails the queue waits longer and longer.
      this.#held.set(nameOf(request), { dueAt: clock.now(), cancel: () => undefined });
      queue.add(request);
    }
  }

  #forgetStale(now: number): void {
    for (const [name, { dueAt }] of this.#held) {
      if (dueAt + staleMs > now) return;
      this.#held.delete(name);
    }
  }
}

/** An object of a kind, as one word. */
export const nameOf = ({ namespace, name }: Request): string => `${namespace}/${name}`;
