import { CapstanError } from "@capstan/contract";
import type { DataFolder } from "./data-folder.ts";

/** SQLite's result when somebody else has the lock. */
const busy = 5;

/**
 * Keeps a data folder for this `capstan up` alone, until the returned function is called or the process ends in whatever way: simulated
 * clouds and the server write to it. Throws `up.data_folder_in_use`.
 */
export const holdFolder = async (data: DataFolder): Promise<() => void> => {
  if (data.temporary) return () => undefined;
  const { DatabaseSync } = await import("node:sqlite");
  const lock = new DatabaseSync(data.file("in-use"));
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (((error as { readonly errcode?: number }).errcode ?? 0) !== busy) throw error;
    throw new CapstanError({
      code: "up.data_folder_in_use",
      reason: "DataFolderInUse",
      message: `--data-dir ${data.path}: in use by another server; stop that capstan up, or choose another folder`,
      retry: { kind: "never" },
      cause: error,
    });
  }
  return () => lock.close();
};
