import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { CapstanError } from "@capstan/contract";
import { writeFileAtomically } from "../write-file.ts";
import { whyUnwritable } from "../file-words.ts";
import { makeFolder } from "../make-folder.ts";

/** Where one `capstan up` keeps its state. */
export interface DataFolder {
  readonly path: string;
  /** Gone afterwards. */
  readonly temporary: boolean;
  file(...names: readonly string[]): string;
  folder(...names: readonly string[]): string;
  /** Writes a file only its owner may read, whole or not at all; returns its path. Throws `file.unwritable`. */
  writeSecret(name: string, text: string): string;
  /** Removes what must not outlive the process; only a temporary folder goes. */
  close(): void;
}

/** `$XDG_DATA_HOME/capstan`, else `~/.local/share/capstan`. */
export const defaultDataFolder = (environment: Readonly<Record<string, string | undefined>>): string => {
  const base = environment["XDG_DATA_HOME"];
  return join(base === undefined || base === "" ? join(homedir(), ".local", "share") : base, "capstan");
};

const unusable = (path: string, cause: unknown): CapstanError =>
  new CapstanError({
    code: "up.data_folder",
    reason: "DataFolderUnusable",
    message: `--data-dir ${path}: ${whyUnwritable(cause, path)}; choose a folder you can write to`,
    retry: { kind: "never" },
    cause,
  });

/** Returns the failure to report if the folder no longer exists; otherwise the failure itself. */
export const becauseRemoved = ({ path }: DataFolder, error: unknown): unknown =>
  existsSync(path)
    ? error
    : new CapstanError({
        code: "up.data_folder_removed",
        reason: "DataFolderRemoved",
        message: `--data-dir ${path}: the folder was removed while the command was running`,
        retry: { kind: "never" },
        cause: error,
      });

/**
 * Opens a data folder, making it with mode 0700; with `temporary` one that is gone afterwards. A folder that is there already keeps its
 * mode: it may be shared. Throws `up.data_folder`.
 */
export const openDataFolder = (path: string, options: { readonly temporary: boolean }): DataFolder => {
  const root = options.temporary ? mkdtempSync(join(tmpdir(), "capstan-")) : resolve(path);
  try {
    makeFolder(root);
    // With the slash, what is not a folder is refused too.
    accessSync(`${root}/`, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusable(root, error);
  }
  const file = (...names: readonly string[]): string => join(root, ...names);
  return {
    path: root,
    temporary: options.temporary,
    file,
    folder: (...names) => {
      mkdirSync(file(...names), { recursive: true, mode: 0o700 });
      return file(...names);
    },
    writeSecret: (name, text) => {
      writeFileAtomically(file(name), text, "data-dir");
      return file(name);
    },
    close: () => {
      if (options.temporary) rmSync(root, { recursive: true, force: true });
    },
  };
};
