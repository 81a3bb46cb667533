import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { CapstanError } from "@capstan/contract";
import { whyUnwritable } from "./file-words.ts";

/** Makes a folder with its parents, for its owner alone unless `mode` says otherwise. `mkdirSync` with `recursive` never returns below /proc. */
export const makeFolder = (path: string, mode = 0o700): void => {
  if (existsSync(path)) return;
  makeFolder(dirname(path), mode);
  mkdirSync(path, { mode });
};

/** The same for a folder that a flag names. Throws `file.unwritable`. */
export const makeFolderOf = (flag: string, path: string, mode?: number): void => {
  try {
    makeFolder(path, mode);
  } catch (error) {
    throw new CapstanError({
      code: "file.unwritable",
      reason: "FileUnwritable",
      message: `--${flag}: cannot create the folder ${path}: ${whyUnwritable(error, path)}; choose a place you can write to`,
      retry: { kind: "never" },
      cause: error,
    });
  }
};
