import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { CapstanError, isCapstanError, rfc3339 } from "@capstan/contract";
import { openDataFolder } from "../up/data-folder.ts";
import type { Backup } from "./backup-file.ts";
import { dataFile, identityFile, openDataFile, readIdentity, type ApiEnvironment } from "./open-api.ts";
import { restore } from "./restore.ts";
import type { Restored } from "./restore-options.ts";

/** A server that uses the file is in the way; a file that cannot be opened is not. */
const checkUnused = async (file: string, environment: ApiEnvironment): Promise<void> => {
  try {
    const api = await openDataFile(file, environment);
    await api.close();
  } catch (error) {
    if (isCapstanError(error, "apiserver.storage_locked")) throw error;
  }
};

const occupied = (dataDir: string): CapstanError =>
  new CapstanError({
    code: "restore.target_not_empty",
    reason: "TargetNotEmpty",
    message: `--data-dir ${dataDir}: already contains management API state; choose an empty folder, or use --force to move that state aside`,
    retry: { kind: "never" },
  });

/** The file with everything SQLite keeps beside it, the file itself last: it is what makes the folder one with state. */
const partsOf = (file: string): readonly string[] =>
  readdirSync(dirname(file))
    .filter((name) => name.startsWith(basename(file)))
    .toSorted((a, b) => b.length - a.length)
    .map((name) => join(dirname(file), name));

const putAside = (file: string, now: number): string => {
  const folder = join(dirname(file), `replaced-${rfc3339(now).replaceAll(":", "")}`);
  mkdirSync(folder, { mode: 0o700 });
  for (const part of partsOf(file).toReversed()) renameSync(part, join(folder, basename(part)));
  return folder;
};

/** The identity without what it says of the data file that it was beside. */
const forNewFile = (identity: string): string => {
  const { storage: _, ...rest } = JSON.parse(identity) as Readonly<Record<string, unknown>>;
  return JSON.stringify(rest);
};

/**
 * Makes a data folder from a backup: in a folder beside first, then moved in one step, so that an interrupted restore leaves nothing
 * and can be run again. Throws `restore.target_not_empty`, `apiserver.storage_locked` and what `restore` throws.
 */
export const restoreDataFolder = async (
  dataDir: string,
  backup: Backup,
  options: { readonly force: boolean; readonly signal: AbortSignal } & ApiEnvironment,
): Promise<Restored & { /** Where the former state is now. */ readonly replacedState?: string }> => {
  openDataFolder(dataDir, { temporary: false });
  const file = dataFile(dataDir);
  const isOccupied = existsSync(file);
  if (isOccupied && !options.force) throw occupied(dataDir);
  if (isOccupied) await checkUnused(file, options);
  const draft = join(dirname(file), ".restoring", basename(file));
  rmSync(dirname(draft), { recursive: true, force: true });
  mkdirSync(dirname(draft), { mode: 0o700 });
  const identity = backup.identity ?? readIdentity(file);
  if (identity !== undefined) writeFileSync(identityFile(draft), forNewFile(identity), { mode: 0o600 });
  const api = await openDataFile(draft, options);
  let restored: Restored;
  try {
    restored = await restore(api.client, backup, { ...options, existing: "replace", live: false });
  } finally {
    await api.close();
  }
  const replacedState = isOccupied ? putAside(file, options.clock.now()) : undefined;
  // A log that an interrupted run left would be taken for one of the new file.
  for (const part of ["-wal", "-shm"]) rmSync(`${file}${part}`, { force: true });
  for (const part of partsOf(draft)) renameSync(part, join(dirname(file), basename(part)));
  rmSync(dirname(draft), { recursive: true });
  return { ...restored, ...(replacedState === undefined ? {} : { replacedState }) };
};
