import type { Logger } from "@capstan/contract";

/** Calls under way at once, at most: more only wait for one of the client's connections. */
const maxRunning = 32;

/** Throws the first of the errors, if there is one; the others go to the log. */
export const throwFirst = (errors: readonly unknown[], log: Logger): void => {
  if (errors.length === 0) return;
  const [first, ...others] = errors;
  for (const error of others) log.warn("another step of the same reconcile also failed", { error });
  throw first;
};

/** Begins the next item whenever fewer run than allowed, until `mayBegin` says no. */
const run = async <T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
  pace: { readonly allowed: () => number; readonly mayBegin: () => boolean; readonly failed: (error: unknown) => void },
): Promise<void> => {
  const running = new Set<Promise<void>>();
  let next = 0;
  for (;;) {
    while (next < items.length && running.size < pace.allowed() && pace.mayBegin()) {
      const one: Promise<void> = work(items[next] as T)
        .catch(pace.failed)
        .finally(() => running.delete(one));
      running.add(one);
      next += 1;
    }
    if (running.size === 0) return;
    await Promise.race(running);
  }
};

/**
 * Works through items one at a time first, and one more at a time with each that succeeds. After a failure no other begins, so that what
 * fails for every item fails for few of them. Throws the first error.
 */
export const inSlowStart = async <T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
  log: Logger,
): Promise<void> => {
  const errors: unknown[] = [];
  let allowed = 1;
  const counted = async (item: T): Promise<void> => {
    await work(item);
    allowed = Math.min(allowed + 1, maxRunning);
  };
  await run(items, counted, {
    allowed: () => allowed,
    mayBegin: () => errors.length === 0,
    failed: (error) => void errors.push(error),
  });
  throwFirst(errors, log);
};

/** Works through all items, many at once; one that fails keeps none of the others. Throws the first error. */
export const allAtOnce = async <T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
  log: Logger,
): Promise<void> => {
  const errors: unknown[] = [];
  await run(items, work, {
    allowed: () => maxRunning,
    mayBegin: () => true,
    failed: (error) => void errors.push(error),
  });
  throwFirst(errors, log);
};
