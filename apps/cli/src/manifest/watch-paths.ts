import { statSync, watch, type FSWatcher } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { Clock } from "@capstan/contract";
import { kustomizedFolder } from "./kustomize.ts";

/** A file is often written in several steps: changes within this time are one. */
const settleMs = 200;

/** Watches a folder, also while it does not exist: then its parent tells when it appears. */
const watchFolder = (folder: string, recursive: boolean, listener: () => void): (() => void) => {
  const path = resolve(folder);
  let inner: FSWatcher | undefined;
  // Always again: one that was made again at once may have the number of the one before, whose watch is dead.
  const open = (): void => {
    inner?.close();
    inner = undefined;
    try {
      inner = watch(path, { recursive }, listener).on("error", listener);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  };
  const outer = watch(dirname(path), (_, name) => {
    if (name !== basename(path)) return;
    open();
    listener();
  });
  open();
  return () => {
    outer.close();
    inner?.close();
  };
};

/** Watches the place of a file: editors write a new one and rename it. */
const watchFile = (file: string, listener: () => void): (() => void) => {
  const path = resolve(file);
  const watcher = watch(dirname(path), (_, name) => {
    if (name === basename(path)) listener();
  });
  return () => watcher.close();
};

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/**
 * Calls the listener when files, or what is in folders, have changed and were left alone for a moment; returns what ends it. With
 * `recursive`, and for kustomizations, folders in folders count.
 */
export const watchPaths = (
  paths: readonly string[],
  clock: Clock,
  listener: () => void,
  { recursive = false }: { readonly recursive?: boolean | undefined } = {},
): (() => void) => {
  let cancel: (() => void) | undefined;
  const changed = (): void => {
    cancel?.();
    cancel = clock.schedule(settleMs, listener);
  };
  const stops = paths.map((path) => {
    const kustomized = kustomizedFolder(path);
    if (kustomized !== undefined) return watchFolder(kustomized, true, changed);
    return isFile(path) ? watchFile(path, changed) : watchFolder(path, recursive, changed);
  });
  return () => {
    cancel?.();
    for (const stop of stops) stop();
  };
};
