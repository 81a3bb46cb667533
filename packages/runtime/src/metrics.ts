import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { MetricsRegistry } from "./controller.ts";

type Labels = Readonly<Record<string, string>>;

/** A registry of its own; asking for a name again returns the metric that has it. */
export const createMetrics = (): MetricsRegistry => {
  const registry = new Registry();
  const known = new Map<string, Counter | Gauge | Histogram>();
  const collectors: (() => void)[] = [];
  const once = <M extends Counter | Gauge | Histogram>(name: string, create: () => M): M => {
    const metric = known.get(name) ?? create();
    known.set(name, metric);
    return metric as M;
  };
  const base = (name: string, help: string, labels: readonly string[] = []) => ({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
  });
  return {
    counter: (name, help, labels) => {
      const counter = once(name, () => new Counter(base(name, help, labels)));
      return { inc: (values: Labels = {}, value = 1) => counter.inc({ ...values }, value) };
    },
    gauge: (name, help, labels, collect) => {
      if (collect !== undefined) collectors.push(collect);
      const gauge = once(name, () => new Gauge(base(name, help, labels)));
      return { set: (value, values: Labels = {}) => gauge.set({ ...values }, value) };
    },
    histogram: (name, help, { labels, buckets } = {}) => {
      const limits = buckets === undefined ? {} : { buckets: [...buckets] };
      const histogram = once(name, () => new Histogram({ ...base(name, help, labels), ...limits }));
      return { observe: (value, values: Labels = {}) => histogram.observe({ ...values }, value) };
    },
    text: () => {
      for (const collect of collectors) collect();
      return registry.metrics();
    },
  };
};
