import { existsSync } from "node:fs";
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
