import type { Clock } from "@capstan/contract";
import { keyText } from "@capstan/kube-values";
import type { Request, RequestSink } from "./controller.ts";
import { Heap } from "./heap.ts";
import { ReadyItems } from "./ready-requests.ts";

/** A request that was taken and runs now. */
export interface QueuedRequest {
  readonly request: Request;
  readonly priority: number;
  /** Since when it could have run. */
  readonly readyAt: number;
}

/** Called on changes that metrics show. */
export interface QueueObserver {
  added(): void;
  retried(): void;
  /** Waiting requests that could run now. */
  depth(priority: number, change: 1 | -1): void;
}

export interface WorkQueueOptions {
  readonly clock: Clock;
  /** Called when `take` may return something. */
  readonly onReady: () => void;
  /** At least this long between two starts of the request. Default: at once. */
  readonly minIntervalMs?: (request: Request) => number;
  readonly observer?: QueueObserver;
}

interface Item {
  readonly key: string;
  readonly request: Request;
  /** Position among requests of the same priority. */
  readonly order: number;
  readonly priority: number;
  readonly readyAt: number;
  /** In which heap it is; an item that left its heap for another is skipped there. */
  place: "ready" | "waiting" | "parked" | "gone";
}

const maxGone = 1000;
const firstDelayMs = 5;
const maxDelayMs = 120_000;

/** Where the first list and relists without change go: behind everything that happened. */
export const lowPriority = -100;

/**
 * Requests in order of priority, then of arrival. A request waits here at most once, with the highest priority and the
 * earliest time it was added with, and never runs twice at once: added while it runs, it waits until `done`.
 */
export class WorkQueue implements RequestSink {
  readonly #clock: Clock;
  readonly #onReady: () => void;
  readonly #minIntervalMs: ((request: Request) => number) | undefined;
  readonly #observer: QueueObserver | undefined;
  readonly #items = new Map<string, Item>();
  readonly #ready = new ReadyItems<Item>();
  readonly #waiting = new Heap<Item>((a, b) => a.readyAt - b.readyAt || a.order - b.order);
  readonly #running = new Set<string>();
  readonly #failures = new Map<string, number>();
  /** When each key may run again, in order of their last starts. */
  readonly #notBefore = new Map<string, number>();
  #order = 0;
  #timer: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(options: WorkQueueOptions) {
    this.#clock = options.clock;
    this.#onReady = options.onReady;
    this.#minIntervalMs = options.minIntervalMs;
    this.#observer = options.observer;
  }

  /** Requests that wait, for now or for later. */
  get size(): number {
    return this.#items.size;
  }

  /** Entries in memory, with those that were overtaken and not yet dropped. */
  get held(): number {
    return this.#ready.held + this.#waiting.size;
  }

  add(
    request: Request,
    { priority = 0, afterMs = 0 }: { readonly priority?: number; readonly afterMs?: number } = {},
  ): void {
    const key = keyText(request);
    const known = this.#items.get(key);
    const readyAt = this.#earliest(key, this.#clock.now() + afterMs);
    if (known === undefined) {
      this.#observer?.added();
      this.#place({ key, request, priority, readyAt, order: this.#order++, place: "gone" });
      return;
    }
    if (priority <= known.priority && readyAt >= known.readyAt) return;
    this.#leave(known);
    this.#place({
      ...known,
      priority: Math.max(priority, known.priority),
      readyAt: Math.min(readyAt, known.readyAt),
    });
  }

  /** Adds after a delay that doubles with every failure since `forget`: 5 ms up to 2 min. */
  addFailed(request: Request, priority: number): void {
    const key = keyText(request);
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    this.#observer?.retried();
    this.add(request, { priority, afterMs: Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(failures, 30)) });
  }

  /** The request succeeded: its next failure starts with the shortest delay again. */
  forget(request: Request): void {
    this.#failures.delete(keyText(request));
  }

  /**
   * The next request to run, or `undefined` when none is ready. Every taken request needs its `done`. `mayRun`: of which namespaces.
   * Default: of any.
   */
  take(mayRun?: (namespace: string) => boolean): QueuedRequest | undefined {
    this.#wakeDue();
    const item = this.#ready.pop(mayRun);
    if (item === undefined) return undefined;
    this.#leave(item);
    this.#items.delete(item.key);
    this.#running.add(item.key);
    this.#noteStart(item);
    const { request, priority, readyAt } = item;
    return { request, priority, readyAt };
  }

  done(request: Request): void {
    const key = keyText(request);
    this.#running.delete(key);
    const parked = this.#items.get(key);
    if (parked?.place === "parked") this.#place({ ...parked, readyAt: this.#earliest(key, parked.readyAt) });
  }

  /** Drops everything and cancels the timer. */
  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    for (const item of this.#items.values()) this.#leave(item);
    this.#items.clear();
  }

  #earliest(key: string, wanted: number): number {
    return Math.max(wanted, this.#notBefore.get(key) ?? 0);
  }

  #place(item: Item): void {
    this.#items.set(item.key, item);
    if (this.#running.has(item.key)) {
      item.place = "parked";
    } else if (item.readyAt > this.#clock.now()) {
      item.place = "waiting";
      this.#waiting.push(item);
      this.#arm();
    } else {
      item.place = "ready";
      this.#ready.push(item);
      this.#observer?.depth(item.priority, 1);
      this.#onReady();
    }
  }

  /** The heap keeps the item until it surfaces, or until too many have piled up. */
  #leave(item: Item): void {
    if (item.place === "ready") this.#observer?.depth(item.priority, -1);
    item.place = "gone";
    if (this.held > 2 * this.#items.size + maxGone) {
      this.#ready.tidy();
      this.#waiting.retain(({ place }) => place === "waiting");
    }
  }

  #wakeDue(): void {
    const now = this.#clock.now();
    for (let item = this.#waiting.peek(); item !== undefined; item = this.#waiting.peek()) {
      if (item.place === "waiting" && item.readyAt > now) break;
      this.#waiting.pop();
      if (item.place === "waiting") this.#place(item);
    }
    this.#arm();
  }

  /** One timer, for the first waiting request. */
  #arm(): void {
    const next = this.#waiting.peek();
    if (next === undefined) return;
    if (this.#timer !== undefined && this.#timer.at <= next.readyAt) return;
    this.#timer?.cancel();
    const cancel = this.#clock.schedule(next.readyAt - this.#clock.now(), () => {
      this.#timer = undefined;
      this.#wakeDue();
    });
    this.#timer = { at: next.readyAt, cancel };
  }

  #noteStart({ key, request }: Item): void {
    const interval = this.#minIntervalMs?.(request) ?? 0;
    if (interval === 0) return;
    const now = this.#clock.now();
    this.#notBefore.delete(key);
    this.#notBefore.set(key, now + interval);
    for (const [oldest, notBefore] of this.#notBefore) {
      if (notBefore > now) break;
      this.#notBefore.delete(oldest);
    }
  }
}
