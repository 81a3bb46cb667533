import { CapstanError, isCapstanError } from "@capstan/contract";
import type { ObjectStore } from "@capstan/contract/v1";
import type { StoreAccess, StoreTarget } from "./store-access.ts";
import { onStore } from "./store-attempts.ts";
import { step } from "./store-step.ts";
import { storedOwner } from "./stored-keys.ts";
import type { StoredKey } from "./stored-keys.ts";

const isRefused = (error: unknown): boolean => isCapstanError(error, "objectstore.forbidden");

const isMissing = (error: unknown): boolean =>
  isCapstanError(error, "objectstore.object_not_found") || isCapstanError(error, "objectstore.bucket_not_found");

const notProven = (key: string, target: StoreTarget, cause?: unknown): CapstanError =>
  new CapstanError({
    code: "objectstore.owner_unproven",
    reason: "StoredObjectUnproven",
    message: `the store of Secret ${target.secret} does not confirm that the object ${key} belongs to this machine; delete it yourself if it does`,
    cause,
  });

/**
 * A look first, then the deletion unless it is known to be gone. A look that is refused keeps the deletion back only where the object has
 * to prove whose it is.
 */
const deleteKey = async (
  store: ObjectStore,
  { key, owner }: StoredKey,
  target: StoreTarget,
  signal: AbortSignal,
): Promise<void> => {
  const found = await store.head(key, { signal }).catch((error: unknown) => {
    if (isMissing(error)) return null;
    if (!isRefused(error)) throw error;
    if (owner !== undefined) throw notProven(key, target, error);
    return undefined;
  });
  if (found === null) return;
  if (owner !== undefined && found?.metadata[storedOwner] !== owner) throw notProven(key, target);
  const doing = `delete the bootstrap data from the store of Secret ${target.secret}`;
  await step("objectstore.delete_failed", "ObjectStoreDeleteFailed", doing, async () => {
    try {
      await store.delete(key, { signal });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  });
};

interface Attempt {
  readonly target: StoreTarget;
  readonly error?: Error;
}

const attempt = async (access: StoreAccess, target: StoreTarget, keys: readonly StoredKey[]): Promise<Attempt> => {
  try {
    await onStore(access, target, async (store, signal) => {
      for (const key of keys) await deleteKey(store, key, target, signal);
    });
    return { target };
  } catch (error) {
    if (access.signal.aborted) throw error;
    return { target, error: error as Error };
  }
};

/**
 * Which failures leave something behind. Where the objects were put is known, and counts; what the cluster names by now counts where
 * nothing is known, and in place of a store whose Secret is gone, as after a change of credentials.
 */
const openFailures = (attempts: readonly Attempt[], recorded: readonly string[]): readonly Attempt[] => {
  const elsewhere = attempts.some(({ target, error }) => error === undefined && !recorded.includes(target.secret));
  return attempts.filter(({ target, error }) => {
    if (error === undefined) return false;
    if (recorded.length === 0) return true;
    const replaced = elsewhere && isCapstanError(error, "objectstore.secret_missing");
    return recorded.includes(target.secret) && !replaced;
  });
};

/**
 * Deletes a machine's objects from every store of `access`, those of `recorded` (Secrets as `namespace/name`) being where they were put.
 * Throws `objectstore.delete_failed` when some may still be there.
 */
export const deleteStored = async (
  access: StoreAccess,
  keys: readonly StoredKey[],
  recorded: readonly string[] = [],
): Promise<void> => {
  const attempts: Attempt[] = [];
  for (const target of access.targets) attempts.push(await attempt(access, target, keys));
  const failures = openFailures(attempts, recorded).flatMap(({ error }) => (error === undefined ? [] : [error]));
  if (failures.length === 0) return;
  const reasons = failures.map((error) => (isCapstanError(error) ? error.message : error.name)).join("; ");
  throw new CapstanError({
    code: "objectstore.delete_failed",
    reason: "BootstrapDataDeleteFailed",
    message: `the bootstrap data may still be in the object store: ${reasons}`,
    cause: failures.length === 1 ? failures[0] : new AggregateError(failures),
  });
};
