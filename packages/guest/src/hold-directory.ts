import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CapstanError } from "@capstan/contract";

/** SQLite's result when somebody else has the lock. */
const busy = 5;

/**
 * Keeps a directory of guests for this host alone, until the returned function is called or the process ends in whatever way: two hosts
 * would start the same machines twice. Throws `guest.directory_in_use`.
 */
export const holdDirectory = (directory: string): (() => void) => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(join(directory, "in-use"));
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (((error as { readonly errcode?: number }).errcode ?? 0) !== busy) throw error;
    throw new CapstanError({
      code: "guest.directory_in_use",
      reason: "DirectoryInUse",
      message: `${directory}: another guest host uses it; stop that one, or give this one a directory of its own`,
      retry: { kind: "never" },
      cause: error,
    });
  }
  return () => lock.close();
};
