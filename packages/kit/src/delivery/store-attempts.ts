import { CapstanError, isCapstanError } from "@capstan/contract";
import type { Retry } from "@capstan/contract";
import type { ObjectStore } from "@capstan/contract/v1";
import { openStore } from "./open-store.ts";
import type { StoreAccess, StoreTarget } from "./store-access.ts";

/** Longest time for one store: upload and signing together. */
export const attemptTimeoutMs = 30_000;

const cancelled = (cause: unknown): CapstanError =>
  new CapstanError({
    code: "objectstore.cancelled",
    reason: "ObjectStoreCancelled",
    message: "the call to the object store was cancelled",
    cause,
  });

const timedOut = (target: StoreTarget): CapstanError =>
  new CapstanError({
    code: "objectstore.timeout",
    reason: "ObjectStoreTimeout",
    message: `the store of Secret ${target.secret} did not answer within ${attemptTimeoutMs / 1000} s`,
  });

/** Runs `use` on one store within the time of an attempt, also when the store ignores the signal. */
export const onStore = async <T>(
  access: StoreAccess,
  target: StoreTarget,
  use: (store: ObjectStore, signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const timer = new AbortController();
  const signal = AbortSignal.any([access.signal, timer.signal]);
  const stop = access.clock.schedule(attemptTimeoutMs, () => timer.abort(timedOut(target)));
  const ended = Promise.withResolvers<never>();
  const onAbort = (): void => ended.reject(signal.reason as Error);
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  try {
    const run = async (): Promise<T> => use(await openStore(access, target), signal);
    return await Promise.race([ended.promise, run()]);
  } catch (error) {
    if (timer.signal.aborted) throw timer.signal.reason as Error;
    throw error;
  } finally {
    stop();
    signal.removeEventListener("abort", onAbort);
  }
};

/** Tries the stores one after another and returns the first answer; throws `objectstore.all_failed` with every attempt's failure. */
export const onFirstStore = async <T>(
  access: StoreAccess,
  use: (store: ObjectStore, signal: AbortSignal, target: StoreTarget) => Promise<T>,
): Promise<T> => {
  const failures: { readonly target: StoreTarget; readonly error: Error }[] = [];
  for (const target of access.targets) {
    try {
      return await onStore(access, target, (store, signal) => use(store, signal, target));
    } catch (error) {
      if (access.signal.aborted) throw cancelled(error);
      failures.push({ target, error: error as Error });
    }
  }
  throw allFailed(failures);
};

/** As soon as one of the stores may be retried; those that refused for good do not count while there is another. */
const retryOf = (failures: readonly { readonly error: Error }[]): Retry => {
  const retries = failures.map(({ error }): Retry => (isCapstanError(error) ? error.retry : { kind: "backoff" }));
  const hopeful = retries.filter(({ kind }) => kind !== "never");
  if (hopeful.length === 0) return { kind: "never" };
  const waits = hopeful.map((retry) => (retry.kind === "after" ? retry.ms : 0));
  return waits.includes(0) ? { kind: "backoff" } : { kind: "after", ms: Math.min(...waits) };
};

const allFailed = (failures: readonly { readonly target: StoreTarget; readonly error: Error }[]): CapstanError => {
  const attempts = failures.map(({ target, error }) => ({
    secret: target.secret,
    code: isCapstanError(error) ? error.code : "objectstore.unknown",
    message: isCapstanError(error) ? error.message : error.name,
  }));
  return new CapstanError({
    code: "objectstore.all_failed",
    reason: "ObjectStoreFailed",
    message: `no object store accepted the bootstrap data: ${attempts.map(({ secret, message }) => `Secret ${secret}: ${message}`).join("; ")}`,
    retry: retryOf(failures),
    cause: new AggregateError(failures.map(({ error }) => error)),
    details: { attempts },
  });
};
