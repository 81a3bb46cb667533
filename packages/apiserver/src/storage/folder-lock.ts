import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** SQLite's result when another user has the lock. */
const busy = 5;

/**
 * Keeps a folder for this process alone, by the file `in-use`, until the returned function is called or the process ends in whatever way.
 * `undefined`: another user has it.
 */
export const lockFolder = (folder: string): (() => void) | undefined => {
  const lock = new DatabaseSync(join(folder, "in-use"));
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return () => lock.close();
  } catch (error) {
    lock.close();
    if (((error as { readonly errcode?: number }).errcode ?? 0) !== busy) throw error;
    return undefined;
  }
};
