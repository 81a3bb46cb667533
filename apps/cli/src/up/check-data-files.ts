import { existsSync, statSync } from "node:fs";
import { CapstanError } from "@capstan/contract";
import type { View } from "../view/view.ts";
import type { DataFolder } from "./data-folder.ts";
import { partsFile } from "./remembered-parts.ts";

/** Where the management API keeps its objects. */
export const dataFileName = "management.sqlite";

/**
 * Refuses a folder in which `capstan up` ran and that has lost its objects: servers at a cloud, simulated ones too, would be no one's.
 * Throws `up.data_missing`.
 */
export const checkDataFiles = (data: DataFolder): void => {
  const files = [dataFileName, `${dataFileName}.identity.json`];
  if (files.some((name) => existsSync(data.file(name))) || !existsSync(data.file(partsFile))) return;
  throw new CapstanError({
    code: "up.data_missing",
    reason: "DataMissing",
    message: `--data-dir ${data.path}: ${files.join(" and ")} are missing, but according to ${partsFile} capstan up has run here; put them back, or restore a backup with capstan restore; to start over, delete the servers of its clusters, then the folder`,
    retry: { kind: "never" },
  });
};

/**
 * Warns about a folder that other users of the machine can change, or read including its objects; `undefined` when only
 * its owner can.
 */
export const openToOthers = (data: Pick<DataFolder, "path" | "file" | "temporary">): string | undefined => {
  if (data.temporary || process.platform === "win32") return undefined;
  const has = (path: string, rights: number): boolean =>
    ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & rights) !== 0;
  const others = 0o077;
  const isWritable = has(data.path, 0o022);
  const isReadable = has(data.path, others) && has(data.file(dataFileName), others);
  if (!isWritable && !isReadable) return undefined;
  return `--data-dir ${data.path}: other users can ${isWritable ? "modify" : "read"} its contents, including Secrets; run chmod 700 ${data.path}`;
};

/** Says so where other users can change or read the folder. */
export const sayIfOpen = (data: DataFolder, view: View): void => {
  const text = openToOthers(data);
  if (text !== undefined) view.say({ type: "warning", text });
};
