import { randomUUID } from "node:crypto";
import { open, readdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";

/** Begins the names of files that are not complete yet. */
const temporaryPrefix = ".new-";
/** A writer that has not finished by now never will. */
const abandonedAfterMs = 3_600_000;

export const orMissing = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
};

/** Removes the temporary files of writers that were killed; `now` in milliseconds. */
export const removeAbandoned = async (folder: string, now: number): Promise<void> => {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(temporaryPrefix)) continue;
    const path = join(folder, name);
    const { mtimeMs = now } = (await orMissing(stat(path))) ?? {};
    if (mtimeMs < now - abandonedAfterMs) await orMissing(unlink(path));
  }
};

/** Writes a file that only its owner may read, under a temporary name, and waits until it is on the disk; returns its path. */
export const writeSynced = async (folder: string, parts: readonly Uint8Array[]): Promise<string> => {
  const path = join(folder, `${temporaryPrefix}${randomUUID()}`);
  const file = await open(path, "wx", 0o600);
  try {
    for (const part of parts) await file.writeFile(part);
    await file.sync();
  } catch (error) {
    await unlink(path);
    throw error;
  } finally {
    await file.close();
  }
  return path;
};

/** Waits until the names in a folder are on the disk. */
export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};
