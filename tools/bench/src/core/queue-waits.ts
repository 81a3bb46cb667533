/** Cumulative counts by upper bound in seconds. */
export type Histogram = ReadonlyMap<number, number>;

const bucket = /^workqueue_queue_duration_seconds_bucket\{(.*)\} (\S+)$/;

/**
 * Returns the times that requests waited in queues, by controller, from the texts of the managers' metrics; several
 * managers may run the same controller.
 */
export const queueWaits = (texts: readonly string[]): ReadonlyMap<string, Histogram> => {
  const found = new Map<string, Map<number, number>>();
  for (const line of texts.flatMap((text) => text.split("\n"))) {
    const [, labels = "", count = ""] = bucket.exec(line) ?? [];
    const controller = /\bcontroller="([^"]*)"/.exec(labels)?.[1];
    const bound = /\ble="([^"]*)"/.exec(labels)?.[1];
    if (controller === undefined || bound === undefined) continue;
    const histogram = found.get(controller) ?? new Map<number, number>();
    const upTo = bound === "+Inf" ? Number.POSITIVE_INFINITY : Number(bound);
    found.set(controller, histogram.set(upTo, (histogram.get(upTo) ?? 0) + Number(count)));
  }
  return found;
};

/** The value that this share stays below, even between the bounds around it. `undefined`: nothing was measured. */
export const quantileOf = (histogram: Histogram, share: number): number | undefined => {
  const steps = [...histogram].toSorted(([a], [b]) => a - b);
  const wanted = (steps.at(-1)?.[1] ?? 0) * share;
  if (wanted === 0) return undefined;
  let [below, before] = [0, 0];
  for (const [bound, count] of steps) {
    if (count >= wanted) {
      return Number.isFinite(bound) ? below + ((bound - below) * (wanted - before)) / (count - before) : below;
    }
    [below, before] = [bound, count];
  }
  return below;
};
