import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The end of a script, and the files that it has left behind. */
export interface ScriptOutcome {
  readonly status: number;
  readonly out: string;
  readonly err: string;
  /** By path: mode, owner and content of a file, the target of a link, of a folder mode and owner. */
  readonly files: Readonly<Record<string, string>>;
}

const folder = join(import.meta.dirname, "scripts");

/** Scripts as people put them into bootstrap documents, by name. */
export const scripts: readonly (readonly [name: string, text: string])[] = readdirSync(folder)
  .toSorted()
  .map((file) => [file.replace(/\.sh$/, ""), readFileSync(join(folder, file), "utf8")]);

/** Recorded on a real Debian 12, by name. */
export const outcomes = JSON.parse(readFileSync(join(import.meta.dirname, "script-outcomes.json"), "utf8")) as Readonly<
  Record<string, ScriptOutcome>
>;

/** Where the script of a case is, on either machine. */
export const scriptPath = "/srv/case.sh";

/** Variables that it is run with. */
export const scriptEnvironment = {
  HOME: "/root",
  LANG: "C.UTF-8",
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  SHELL: "/bin/bash",
  USER: "root",
} as const;

/** Files that programs write for themselves, and those whose lines are another on every system. */
const ownAffairs =
  /^\/(?:dev|proc|sys|tmp|srv)\/|^\/(?:root\/\.gnupg|var\/(?:cache|log\/(?:lastlog|faillog)|mail)|home\/\w+\/)|^\/etc\/(?:passwd|group|shadow|gshadow|subuid|subgid|\.pwd)/;

export const isCompared = (path: string): boolean => !ownAffairs.test(path);

/** A file as it is compared. */
export const shownFile = (file: {
  readonly mode: number;
  readonly owner: string;
  readonly bytes: Uint8Array;
}): string => `${(file.mode & 0o7777).toString(8)} ${file.owner} ${Buffer.from(file.bytes).toString("latin1")}`;
