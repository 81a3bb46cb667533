import { CapstanError, isCapstanError } from "@capstan/contract";
import type { ControllerOptions, Environment, ReconcileContext, Request, Result } from "./controller.ts";
import { type ControllerMetrics, controllerMetrics, type Outcome } from "./controller-metrics.ts";
import { type QueuedRequest, WorkQueue } from "./work-queue.ts";

/** Next step for a request after its reconcile failed. */
type Verdict =
  | { readonly kind: "again"; readonly quiet: boolean }
  | { readonly kind: "after"; readonly ms: number }
  | { readonly kind: "never" };

/** Reconciles that find nothing to do never wait for anything: without a limit, thousands would run before any I/O. */
const startsPerTurn = 100;

const verdictOn = (error: unknown): Verdict => {
  if (!isCapstanError(error)) return { kind: "again", quiet: false };
  if (error.code === "kube.conflict") return { kind: "again", quiet: true };
  if (error.retry.kind === "after") return { kind: "after", ms: error.retry.ms };
  return error.retry.kind === "never" ? { kind: "never" } : { kind: "again", quiet: false };
};

const describe = (error: unknown): Readonly<Record<string, unknown>> =>
  isCapstanError(error)
    ? { error: error.message, code: error.code, reason: error.reason, details: error.details }
    : { error };

/** Takes requests from the queue of one controller and reconciles them, several at once, each on its own. */
export class ReconcileLoop {
  readonly queue: WorkQueue;
  readonly #options: ControllerOptions;
  readonly #environment: Environment;
  readonly #metrics: ControllerMetrics;
  readonly #concurrency: number;
  /** Reconciles of each namespace that may begin when all are taken: one whose reconciles wait for servers holds up no other. */
  readonly #spare: number;
  readonly #runningIn = new Map<string, number>();
  /** With the time each was started. */
  readonly #running = new Map<Promise<void>, number>();
  /** Prefix for this run of this controller, so that the ids of two processes differ. */
  readonly #idPrefix: string;
  #reconciles = 0;
  #startsInTurn = 0;
  #pumpDue = false;
  #signal: AbortSignal | undefined;

  constructor(options: ControllerOptions, environment: Environment) {
    this.#options = options;
    this.#environment = environment;
    this.#idPrefix = Buffer.from(environment.random.bytes(4)).toString("hex");
    this.#concurrency = options.concurrency ?? 50;
    this.#spare = Math.floor(this.#concurrency / 10);
    this.#metrics = controllerMetrics(environment.metrics, options.name, this.#concurrency, () => {
      const now = environment.clock.now();
      return Array.from(this.#running.values(), (startedAt) => (now - startedAt) / 1000);
    });
    this.queue = new WorkQueue({
      clock: environment.clock,
      minIntervalMs: (request) =>
        typeof options.minIntervalMs === "function"
          ? options.minIntervalMs(request, environment)
          : (options.minIntervalMs ?? 0),
      observer: this.#metrics.queue,
      onReady: () => this.#schedulePump(),
    });
  }

  /** Reconciles until the signal is aborted; resolves when the last reconcile has ended. */
  async run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    this.#signal = signal;
    this.#schedulePump();
    if (!signal.aborted) {
      await new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
    this.queue.stop();
    await Promise.all(this.#running.keys());
  }

  /** Never runs a reconcile inside the call that added its request: that may be in the middle of a cache update. */
  #schedulePump(): void {
    if (this.#pumpDue || this.#signal === undefined) return;
    this.#pumpDue = true;
    queueMicrotask(() => {
      this.#pumpDue = false;
      this.#pump();
    });
  }

  #pump(): void {
    const signal = this.#signal;
    if (signal === undefined) return;
    while (!signal.aborted && this.#running.size < (this.#spare === 0 ? 1 : 2) * this.#concurrency) {
      if (this.#startsInTurn >= startsPerTurn) return;
      const isFull = this.#running.size >= this.#concurrency;
      const taken = this.queue.take(isFull ? (namespace) => this.#runsIn(namespace) < this.#spare : undefined);
      if (taken === undefined) return;
      if (this.#startsInTurn === 0) setImmediate(() => this.#nextTurn());
      this.#startsInTurn += 1;
      const { namespace } = taken.request;
      this.#countIn(namespace, 1);
      const run = this.#reconcile(taken, signal).finally(() => {
        this.#countIn(namespace, -1);
        this.#running.delete(run);
        this.#schedulePump();
      });
      this.#running.set(run, this.#environment.clock.now());
    }
  }

  #runsIn(namespace: string): number {
    return this.#runningIn.get(namespace) ?? 0;
  }

  #countIn(namespace: string, change: 1 | -1): void {
    const count = this.#runsIn(namespace) + change;
    if (count === 0) this.#runningIn.delete(namespace);
    else this.#runningIn.set(namespace, count);
  }

  #nextTurn(): void {
    this.#startsInTurn = 0;
    this.#schedulePump();
  }

  async #reconcile({ request, priority, readyAt }: QueuedRequest, signal: AbortSignal): Promise<void> {
    const { clock } = this.#environment;
    const startedAt = clock.now();
    this.#metrics.started(this.#running.size + 1, (startedAt - readyAt) / 1000);
    const context = this.#context(request, signal);
    let outcome: Outcome = "error";
    try {
      const result = await this.#limited(request, context);
      outcome = this.#settle(request, priority, result);
    } catch (error) {
      outcome = this.#fail(request, priority, error, context);
    } finally {
      this.queue.done(request);
      this.#metrics.finished(this.#running.size - 1, outcome, (clock.now() - startedAt) / 1000);
    }
  }

  #context(request: Request, signal: AbortSignal): ReconcileContext {
    const reconcileID = `${this.#idPrefix}-${++this.#reconciles}`;
    const log = this.#environment.log.child({ controller: this.#options.name, ...request, reconcileID });
    return { ...this.#environment, log, signal };
  }

  /** Aborts the reconcile's signal when it takes too long or the manager stops. */
  async #limited(request: Request, context: ReconcileContext): Promise<Result | void> {
    const timeoutMs = this.#options.timeoutMs ?? 120_000;
    const stop = new AbortController();
    const forward = (): void => stop.abort(context.signal.reason);
    if (context.signal.aborted) forward();
    context.signal.addEventListener("abort", forward, { once: true });
    const cancel = context.clock.schedule(timeoutMs, () => stop.abort(tooLong(this.#options.name, request, timeoutMs)));
    try {
      return await this.#options.reconcile(request, { ...context, signal: stop.signal });
    } finally {
      cancel();
      context.signal.removeEventListener("abort", forward);
    }
  }

  #settle(request: Request, priority: number, result: Result | void): Outcome {
    this.queue.forget(request);
    if (result?.requeueAfterMs === undefined) return "success";
    this.queue.add(request, { priority, afterMs: result.requeueAfterMs });
    return "requeue_after";
  }

  #fail(request: Request, priority: number, error: unknown, { log, signal }: ReconcileContext): Outcome {
    if (signal.aborted) return "error";
    const verdict = verdictOn(error);
    if (verdict.kind === "again" && verdict.quiet) {
      log.debug("the object changed meanwhile; trying again", describe(error));
      this.queue.addFailed(request, priority);
      return "requeue";
    }
    const timedOut = isCapstanError(error, "runtime.reconcile_timeout");
    this.#metrics.failed(
      verdict.kind === "never" ? "terminal" : timedOut ? "timeout" : isCapstanError(error) ? "error" : "panic",
    );
    if (verdict.kind === "never") {
      log.error("the reconcile failed and will not be tried again before something changes", describe(error));
      this.queue.forget(request);
    } else if (verdict.kind === "after") {
      log.warn("the reconcile has to wait", { ...describe(error), retryAfterMs: verdict.ms });
      this.queue.add(request, { priority, afterMs: verdict.ms });
    } else {
      log.error("the reconcile failed and will be tried again", describe(error));
      this.queue.addFailed(request, priority);
    }
    return "error";
  }
}

const tooLong = (controller: string, { namespace, name }: Request, timeoutMs: number): CapstanError =>
  new CapstanError({
    code: "runtime.reconcile_timeout",
    reason: "ReconcileTimeout",
    message: `${controller} "${namespace}/${name}": the reconcile took longer than ${timeoutMs} ms and was aborted`,
  });
