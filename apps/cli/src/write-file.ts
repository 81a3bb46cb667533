import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { CapstanError } from "@capstan/contract";
import { whyUnwritable } from "./file-words.ts";

/**
 * Writes a file that only its owner may read: beside its place first, then renamed, so that there is never half a file. Throws
 * `file.unwritable`, naming the flag that gave the path.
 */
export const writeFileAtomically = (path: string, content: string | Uint8Array, flag: string): void => {
  const draft = join(dirname(path), `.${path.split("/").at(-1) ?? ""}.part`);
  try {
    const file = openSync(draft, "w", 0o600);
    try {
      const bytes = Buffer.from(content);
      for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new CapstanError({
      code: "file.unwritable",
      reason: "FileUnwritable",
      message: `--${flag} ${path}: ${whyUnwritable(error, path)}; choose a place you can write to, with room for the file`,
      retry: { kind: "never" },
      cause: error,
    });
  }
};
