import { lockFolder } from "@capstan/apiserver";
import { CapstanError } from "@capstan/contract";
import type { DataFolder } from "./data-folder.ts";

/**
 * Keeps a data folder for this `capstan up` alone, until the returned function is called or the process ends in whatever way: simulated
 * clouds and the server write to it. Throws `up.data_folder_in_use`.
 */
export const holdFolder = (data: DataFolder): (() => void) => {
  if (data.temporary) return () => undefined;
  const release = lockFolder(data.path);
  if (release !== undefined) return release;
  throw new CapstanError({
    code: "up.data_folder_in_use",
    reason: "DataFolderInUse",
    message: `--data-dir ${data.path}: in use by another server; stop that capstan up, or choose another folder`,
    retry: { kind: "never" },
  });
};
