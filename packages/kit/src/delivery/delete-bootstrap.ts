import { CapstanError, isCapstanError } from "@capstan/contract";
import { storeTargets } from "./store-access.ts";
import type { StoreAccess } from "./store-access.ts";
import { onStore } from "./store-attempts.ts";
import { step } from "./store-step.ts";

/**
 * Deletes the object from every store that may hold it: a look first, then the deletion unless it is known to be gone. A look that is
 * refused does not keep the deletion back. Throws `objectstore.delete_failed` with every failure; callers log it and go on.
 */
export const deleteBootstrapObject = async (access: StoreAccess, key: string): Promise<void> => {
  const failures: Error[] = [];
  for (const target of storeTargets(access)) {
    try {
      await onStore(access, target, async (store, signal) => {
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
      });
    } catch (error) {
      if (access.signal.aborted) throw error;
      failures.push(error as Error);
    }
  }
  if (failures.length === 0) return;
  const said = failures.map((error) => (isCapstanError(error) ? error.message : error.name)).join("; ");
  throw new CapstanError({
    code: "objectstore.delete_failed",
    reason: "BootstrapDataDeleteFailed",
    message: `the bootstrap data may still be in the object store: ${said}`,
    cause: failures.length === 1 ? failures[0] : new AggregateError(failures),
  });
};

const isRefused = (error: unknown): boolean => isCapstanError(error, "objectstore.forbidden");

const isMissing = (error: unknown): boolean =>
  isCapstanError(error, "objectstore.object_not_found") || isCapstanError(error, "objectstore.bucket_not_found");
