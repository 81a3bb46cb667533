import type { MetricsRegistry } from "./controller.ts";
import type { QueueObserver } from "./work-queue.ts";

export type Outcome = "success" | "error" | "requeue" | "requeue_after";

/** Metrics of one controller, under the names that dashboards for controller-runtime expect. */
export interface ControllerMetrics {
  readonly queue: QueueObserver;
  started(active: number, waitedSeconds: number): void;
  finished(active: number, outcome: Outcome, seconds: number): void;
  failed(kind: "terminal" | "panic" | "timeout" | "error"): void;
}

type Labels = Readonly<Record<string, string>>;

const durations = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Those of controller-runtime, and between them one for how long a queue is waited for: 2 s is the budget of the 95th percentile. */
const waits = [0.001, 0.01, 0.1, 0.25, 0.5, 1, 2, 5, 10, 100, 1000];

const name = (suffix: string): string => `controller_runtime_${suffix}`;

const reconcileMetrics = (metrics: MetricsRegistry) => {
  const labels = ["controller"];
  return {
    total: metrics.counter(name("reconcile_total"), "Reconciles by result.", ["controller", "result"]),
    errors: metrics.counter(name("reconcile_errors_total"), "Reconciles that failed.", labels),
    terminal: metrics.counter(name("terminal_reconcile_errors_total"), "Failures that are not tried again.", labels),
    panics: metrics.counter(name("reconcile_panics_total"), "Failures that no code foresaw.", labels),
    timeouts: metrics.counter(name("reconcile_timeouts_total"), "Reconciles that took too long.", labels),
    time: metrics.histogram(name("reconcile_time_seconds"), "Duration of a reconcile.", { labels, buckets: durations }),
    most: metrics.gauge(name("max_concurrent_reconciles"), "Reconciles that may run at once.", labels),
    active: metrics.gauge(name("active_workers"), "Reconciles that run now.", labels),
  };
};

const queueMetrics = (metrics: MetricsRegistry) => {
  const labels = ["name", "controller"];
  return {
    depth: metrics.gauge("workqueue_depth", "Requests ready to run.", [...labels, "priority"]),
    adds: metrics.counter("workqueue_adds_total", "Requests added.", labels),
    retries: metrics.counter("workqueue_retries_total", "Requests added after a failure.", labels),
    wait: metrics.histogram("workqueue_queue_duration_seconds", "Time from ready to running.", {
      labels,
      buckets: waits,
    }),
    work: metrics.histogram("workqueue_work_duration_seconds", "Time from running to done.", {
      labels,
      buckets: waits,
    }),
  };
};

/** Registers the ages of running reconciles. They change with time alone, so they are computed when someone asks. */
const runningMetrics = (metrics: MetricsRegistry, labels: Labels, ages: () => readonly number[]): void => {
  const names = ["name", "controller"];
  const longest = metrics.gauge("workqueue_longest_running_processor_seconds", "Age of the oldest that runs.", names);
  const collect = (): void => {
    const running = ages();
    longest.set(Math.max(0, ...running), labels);
    unfinished.set(
      running.reduce((sum, age) => sum + age, 0),
      labels,
    );
  };
  const help = "Sum of the ages of all that run.";
  const unfinished = metrics.gauge("workqueue_unfinished_work_seconds", help, names, collect);
};

/** `ages`: seconds since the start of each reconcile that runs. */
export const controllerMetrics = (
  metrics: MetricsRegistry,
  controller: string,
  concurrency: number,
  ages: () => readonly number[],
): ControllerMetrics => {
  const reconcile = reconcileMetrics(metrics);
  const queue = queueMetrics(metrics);
  const labels = { controller };
  const queueLabels = { name: controller, controller };
  const depths = new Map<number, number>();
  runningMetrics(metrics, queueLabels, ages);
  reconcile.most.set(concurrency, labels);
  return {
    queue: {
      added: () => queue.adds.inc(queueLabels),
      retried: () => queue.retries.inc(queueLabels),
      depth: (priority, change) => {
        const depth = (depths.get(priority) ?? 0) + change;
        depths.set(priority, depth);
        queue.depth.set(depth, { ...queueLabels, priority: String(priority) });
      },
    },
    started: (active, waitedSeconds) => {
      reconcile.active.set(active, labels);
      queue.wait.observe(waitedSeconds, queueLabels);
    },
    finished: (active, outcome, seconds) => {
      reconcile.active.set(active, labels);
      reconcile.total.inc({ controller, result: outcome });
      reconcile.time.observe(seconds, labels);
      queue.work.observe(seconds, queueLabels);
    },
    failed: (kind) => {
      reconcile.errors.inc(labels);
      if (kind === "terminal") reconcile.terminal.inc(labels);
      if (kind === "panic") reconcile.panics.inc(labels);
      if (kind === "timeout") reconcile.timeouts.inc(labels);
    },
  };
};
