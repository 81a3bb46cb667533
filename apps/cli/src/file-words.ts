import { existsSync } from "node:fs";
import { dirname } from "node:path";

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "";

const reading: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  ENOTDIR: "part of the path is not a folder",
  EACCES: "permission denied",
  EISDIR: "it is a folder",
};

const writing: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) =>
    existsSync(dirname(path)) ? `cannot create a folder in ${dirname(path)}` : `there is no folder ${dirname(path)}`,
  ENOTDIR: () => "part of the path is not a folder",
  EACCES: () => "permission denied",
  EISDIR: () => "it is a folder",
  EROFS: () => "read-only file system",
};

/** Why a file could not be read, in words. */
export const whyUnreadable = (error: unknown): string => reading[codeOf(error)] ?? (error as Error).message;

/** Why a file or folder could not be written, in words. */
export const whyUnwritable = (error: unknown, path: string): string =>
  writing[codeOf(error)]?.(path) ?? (error as Error).message;
