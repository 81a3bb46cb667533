import { isCapstanError } from "@capstan/contract";
import type { Environment } from "@capstan/runtime";
import { withBoundedWait } from "./longest-wait.ts";

/** Runs the author's verbs and measures them. No failure asks for a longer wait than the longest. */
export interface Verbs {
  run<T>(verb: string, work: () => Promise<T>): Promise<T>;
}

/** Histogram `capstan_verb_seconds` by controller, verb and outcome (`ok`, or the code of the error). */
export const measuredVerbs = (
  controller: string,
  { clock, metrics }: Pick<Environment, "clock" | "metrics">,
): Verbs => {
  const seconds = metrics.histogram("capstan_verb_seconds", "Time of provider verbs, by outcome.", {
    labels: ["controller", "verb", "outcome"],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60],
  });
  return {
    run: async (verb, work) => {
      const startedAt = clock.now();
      let outcome = "ok";
      try {
        return await work();
      } catch (error) {
        outcome = isCapstanError(error) ? error.code : "unknown";
        throw withBoundedWait(error);
      } finally {
        seconds.observe((clock.now() - startedAt) / 1000, { controller, verb, outcome });
      }
    },
  };
};
