import { existsSync } from "node:fs";
import { dirname } from "node:path";

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "";

const reading: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "a part of the path is no folder",
  EACCES: "it may not be read by this user",
  EISDIR: "it is a folder",
};

const writing: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) =>
    existsSync(dirname(path)) ? `nothing can be made in ${dirname(path)}` : `there is no folder ${dirname(path)}`,
  ENOTDIR: () => "a part of the path is no folder",
  EACCES: () => "this user may not write there",
  EISDIR: () => "it is a folder",
  EROFS: () => "nothing can be written there",
};

/** Why a file could not be read, in words. */
export const whyUnreadable = (error: unknown): string => reading[codeOf(error)] ?? (error as Error).message;

/** Why a file or folder could not be written, in words. */
export const whyUnwritable = (error: unknown, path: string): string =>
  writing[codeOf(error)]?.(path) ?? (error as Error).message;
