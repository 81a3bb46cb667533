import { readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";

/** When a process started: its number may be another one's later. */
const startedAt = (pid: string): string | undefined => {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[19];
  } catch {
    return undefined;
  }
};

const suffix = ".owner";

/** A link to a text that is no file: unlike a file, it is there with its owner or not at all. */
const linkOf = (folder: string, name: string): string => join(folder, `${name}${suffix}`);

/** Makes the first free of the names this process's own, until it is released; `undefined` when others have all of them. */
export const claimFirst = (folder: string, names: readonly string[]): string | undefined =>
  names.find((name) => {
    try {
      symlinkSync(`${process.pid} ${startedAt(String(process.pid))}`, linkOf(folder, name));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      return false;
    }
  });

/** Names whose owners have ended without releasing them. */
export const abandonedClaims = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((entry) => entry.endsWith(suffix))
    .map((entry) => entry.slice(0, -suffix.length))
    .filter((name) => {
      const [pid = "", started] = readlinkSync(linkOf(folder, name)).split(" ");
      return startedAt(pid) !== started;
    });

/** Lets others have the name. */
export const releaseClaim = (folder: string, name: string): void => rmSync(linkOf(folder, name), { force: true });
