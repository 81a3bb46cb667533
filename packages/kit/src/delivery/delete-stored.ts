import { CapstanError, isCapstanError } from "@capstan/contract";
import type { ObjectStore } from "@capstan/contract/v1";
import type { StoreAccess, StoreTarget } from "./store-access.ts";
import { onStore } from "./store-attempts.ts";
import { step } from "./store-step.ts";

/** Objects of one machine. */
export interface StoredObjects {
  /** Their keys; each begins with the machine's uid. */
  readonly keys: readonly string[];
  /** With it, everything is deleted whose key begins so, where the store can list. */
  readonly prefix?: string;
}

const isRefused = (error: unknown): boolean => isCapstanError(error, "objectstore.forbidden");

const isMissing = (error: unknown): boolean =>
  isCapstanError(error, "objectstore.object_not_found") || isCapstanError(error, "objectstore.bucket_not_found");

/** A look first, then the deletion unless it is known to be gone. A look that is refused does not keep the deletion back. */
const deleteKey = async (store: ObjectStore, key: string, target: StoreTarget, signal: AbortSignal): Promise<void> => {
  const gone = await store.head(key, { signal }).then(
    (found) => found === null,
    (error: unknown) => {
      if (isRefused(error)) return false;
      if (isMissing(error)) return true;
      throw error;
    },
  );
  if (gone) return;
  const doing = `delete the bootstrap data from the store of Secret ${target.secret}`;
  await step("objectstore.delete_failed", "ObjectStoreDeleteFailed", doing, async () => {
    try {
      await store.delete(key, { signal });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  });
};

/** The keys that are known, and those that the store shows. A list that is refused is not a failure: the known ones are left. */
const keysOf = async (
  store: ObjectStore,
  { keys, prefix }: StoredObjects,
  signal: AbortSignal,
): Promise<Set<string>> => {
  const found = new Set(keys);
  if (prefix === undefined || prefix === "" || !store.capabilities.list || store.list === undefined) return found;
  try {
    let token: string | undefined;
    do {
      const page = await store.list(prefix, { signal, ...(token === undefined ? {} : { token }) });
      for (const key of page.keys) if (key.startsWith(prefix)) found.add(key);
      token = page.next;
    } while (token !== undefined);
  } catch (error) {
    if (!isRefused(error) && !isMissing(error)) throw error;
  }
  return found;
};

interface Attempt {
  readonly target: StoreTarget;
  readonly error?: Error;
}

const attempt = async (access: StoreAccess, target: StoreTarget, objects: StoredObjects): Promise<Attempt> => {
  try {
    await onStore(access, target, async (store, signal) => {
      for (const key of await keysOf(store, objects, signal)) await deleteKey(store, key, target, signal);
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
  objects: StoredObjects,
  recorded: readonly string[] = [],
): Promise<void> => {
  const attempts: Attempt[] = [];
  for (const target of access.targets) attempts.push(await attempt(access, target, objects));
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
