import { existsSync, statSync } from "node:fs";
import { CapstanError } from "@capstan/contract";
import type { DataFolder } from "./data-folder.ts";
import { partsFile } from "./remembered-parts.ts";

/** Where the management API keeps its objects. */
export const dataFileName = "management.sqlite";

/**
 * Refuses a folder in which `capstan up` ran and that has lost its objects: servers at a cloud, simulated ones too, would be nobody's.
 * Throws `up.data_missing`.
 */
export const checkDataFiles = (data: DataFolder): void => {
  const files = [dataFileName, `${dataFileName}.identity.json`];
  if (files.some((name) => existsSync(data.file(name))) || !existsSync(data.file(partsFile))) return;
  throw new CapstanError({
    code: "up.data_missing",
    reason: "DataMissing",
    message: `--data-dir ${data.path}: ${files.join(" and ")} are missing, though ${partsFile} says that capstan up ran here; put them back, or restore a backup with capstan restore; to begin anew remove the whole folder, after the servers that it knew of`,
    retry: { kind: "never" },
  });
};

/** What to say of a folder that other users of the machine can change, or read with the objects in it; `undefined` when it is its owner's alone. */
export const openToOthers = (data: Pick<DataFolder, "path" | "file" | "temporary">): string | undefined => {
  if (data.temporary || process.platform === "win32") return undefined;
  const has = (path: string, rights: number): boolean =>
    ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & rights) !== 0;
  const others = 0o077;
  const isWritable = has(data.path, 0o022);
  const isReadable = has(data.path, others) && has(data.file(dataFileName), others);
  if (!isWritable && !isReadable) return undefined;
  return `--data-dir ${data.path}: other users can ${isWritable ? "replace" : "read"} what is kept there, with all Secrets; take their rights away: chmod 700 ${data.path}`;
};
