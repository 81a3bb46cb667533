import { randomUUID } from "node:crypto";
import { open, unlink } from "node:fs/promises";
import { join } from "node:path";

/** Begins the names of files that are not complete yet. */
export const temporaryPrefix = ".new-";

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
