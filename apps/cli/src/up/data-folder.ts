import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { CapstanError } from "@capstan/contract";

/** Where one `capstan up` keeps its state. */
export interface DataFolder {
  readonly path: string;
  file(...names: readonly string[]): string;
  folder(...names: readonly string[]): string;
  /** Writes a file only its owner may read; returns its path. */
  writeSecret(name: string, text: string): string;
  /** Removes what must not outlive the process; only a temporary folder goes. */
  close(): void;
}

/** `$XDG_DATA_HOME/capstan`, else `~/.local/share/capstan`. */
export const defaultDataFolder = (environment: Readonly<Record<string, string | undefined>>): string => {
  const base = environment["XDG_DATA_HOME"];
  return join(base === undefined || base === "" ? join(homedir(), ".local", "share") : base, "capstan");
};

/** Opens (and makes) a data folder of mode 0700; with `temporary` one that is gone afterwards. Throws `up.data_folder`. */
export const openDataFolder = (path: string, options: { readonly temporary: boolean }): DataFolder => {
  const root = options.temporary ? mkdtempSync(join(tmpdir(), "capstan-")) : resolve(path);
  try {
    mkdirSync(root, { recursive: true, mode: 0o700 });
    chmodSync(root, 0o700);
  } catch (error) {
    throw new CapstanError({
      code: "up.data_folder",
      reason: "DataFolderUnusable",
      message: `--data-dir ${root}: ${(error as Error).message}; choose a folder you can write to`,
      retry: { kind: "never" },
      cause: error,
    });
  }
  const file = (...names: readonly string[]): string => join(root, ...names);
  return {
    path: root,
    file,
    folder: (...names) => {
      mkdirSync(file(...names), { recursive: true, mode: 0o700 });
      return file(...names);
    },
    writeSecret: (name, text) => {
      writeFileSync(file(name), text, { mode: 0o600 });
      chmodSync(file(name), 0o600);
      return file(name);
    },
    close: () => {
      if (options.temporary) rmSync(root, { recursive: true, force: true });
    },
  };
};
