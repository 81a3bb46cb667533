import type { Clock } from "@capstan/contract";
import { CapstanError, isCapstanError } from "@capstan/contract";
import type { ObjectStore, ObjectStoreOpener } from "@capstan/contract/v1";
import type { ObjectStoreRequest, SecretRef } from "../roles/author.ts";

/** Longest time for one store: upload and signing together. */
export const attemptTimeoutMs = 30_000;

/** The decoded data of a Secret. */
export type SecretData = Readonly<Record<string, string>>;

export interface StoreAccess {
  readonly request: ObjectStoreRequest;
  /** Where Secret references without a namespace point to. */
  readonly namespace: string;
  /** `undefined` when the application plugged no stores in. */
  readonly openers: readonly ObjectStoreOpener[] | undefined;
  readonly readSecret: (ref: Required<SecretRef>) => Promise<SecretData | undefined>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** One store that may serve: its Secret as `namespace/name`. */
export interface StoreTarget {
  readonly secret: string;
  readonly ref: Required<SecretRef>;
}

/** The stores in the order they are tried. */
export const storeTargets = ({
  request,
  namespace,
}: Pick<StoreAccess, "request" | "namespace">): readonly StoreTarget[] =>
  [request.credentialsRef, request.secondaryCredentialsRef]
    .filter((ref) => ref !== undefined)
    .map((ref) => ({ name: ref.name, namespace: ref.namespace ?? namespace }))
    .map((ref) => ({ ref, secret: `${ref.namespace}/${ref.name}` }));

const openStore = async (access: StoreAccess, target: StoreTarget): Promise<ObjectStore> => {
  if (access.openers === undefined) {
    throw new CapstanError({
      code: "objectstore.not_plugged_in",
      reason: "ObjectStoreUnavailable",
      message: "no object store is plugged into this application; name one in its configuration",
      retry: { kind: "never" },
    });
  }
  const data = await access.readSecret(target.ref);
  if (data === undefined) {
    throw new CapstanError({
      code: "objectstore.secret_missing",
      reason: "ObjectStoreSecretMissing",
      message: `Secret ${target.secret} with the credentials of the object store does not exist; create it`,
    });
  }
  const type = data["type"] ?? "s3";
  const opener = access.openers.find((candidate) => candidate.type === type);
  if (opener === undefined) {
    throw new CapstanError({
      code: "objectstore.type_unknown",
      reason: "ObjectStoreTypeUnknown",
      message: `Secret ${target.secret}: type "${type}" is none of ${access.openers.map((known) => known.type).join(", ")}`,
      retry: { kind: "never" },
    });
  }
  return step("objectstore.open_failed", "ObjectStoreOpenFailed", `open the store of Secret ${target.secret}`, () =>
    opener.open(data),
  );
};

/** Runs one call; a failure that has no name yet is given one. */
export const step = async <T>(code: string, reason: string, doing: string, run: () => T | Promise<T>): Promise<T> => {
  try {
    return await run();
  } catch (error) {
    if (isAbort(error) || isCapstanError(error)) throw error;
    throw new CapstanError({ code, reason, message: `could not ${doing}`, cause: error });
  }
};

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === "AbortError";

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
  for (const target of storeTargets(access)) {
    try {
      return await onStore(access, target, (store, signal) => use(store, signal, target));
    } catch (error) {
      if (access.signal.aborted) throw cancelled(error);
      failures.push({ target, error: error as Error });
    }
  }
  throw allFailed(failures);
};

const allFailed = (failures: readonly { readonly target: StoreTarget; readonly error: Error }[]): CapstanError => {
  const waits = failures.map(({ error }) => (isCapstanError(error) ? error.retry : { kind: "backoff" as const }));
  const attempts = failures.map(({ target, error }) => ({
    secret: target.secret,
    code: isCapstanError(error) ? error.code : "objectstore.unknown",
    message: isCapstanError(error) ? error.message : error.name,
  }));
  return new CapstanError({
    code: "objectstore.all_failed",
    reason: "ObjectStoreFailed",
    message: `no object store took the bootstrap data: ${attempts.map(({ secret, message }) => `Secret ${secret}: ${message}`).join("; ")}`,
    retry: waits.every((retry) => retry.kind === "never") ? { kind: "never" } : { kind: "backoff" },
    cause: new AggregateError(failures.map(({ error }) => error)),
    details: { attempts },
  });
};
