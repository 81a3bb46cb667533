import type { Disk } from "./disk.ts";

/** Those that every system has, with their numbers. */
const systemUsers: Readonly<Record<string, number>> = {
  root: 0,
  daemon: 1,
  bin: 2,
  sys: 3,
  sync: 4,
  games: 5,
  man: 6,
  lp: 7,
  mail: 8,
  news: 9,
  uucp: 10,
  proxy: 13,
  "www-data": 33,
  backup: 34,
  list: 38,
  irc: 39,
  _apt: 42,
  nobody: 65_534,
};

const furtherGroups: Readonly<Record<string, number>> = {
  adm: 4,
  tty: 5,
  disk: 6,
  sudo: 27,
  wheel: 28,
  shadow: 42,
  utmp: 43,
  video: 44,
  staff: 50,
  users: 100,
  nogroup: 65_534,
};

const userLine = (name: string, id: number): string =>
  `${name}:x:${id}:${id}::${name === "root" ? "/root" : `/home/${name}`}:${id === 0 || id >= 1000 ? "/bin/sh" : "/usr/sbin/nologin"}\n`;

const groupLine = (name: string, id: number): string => `${name}:x:${id}:\n`;

const linesOf = (accounts: Readonly<Record<string, number>>, line: typeof userLine): string =>
  Object.entries(accounts)
    .map(([name, id]) => line(name, id))
    .join("");

/** The files in which a system has its users and groups, as images have them. */
export const accountFiles: Readonly<Record<"/etc/passwd" | "/etc/group", string>> = {
  "/etc/passwd": linesOf(systemUsers, userLine),
  "/etc/group": linesOf({ ...systemUsers, ...furtherGroups }, groupLine),
};

const entries = (path: keyof typeof accountFiles, disk: Disk): readonly (readonly string[])[] =>
  (disk.text(path) ?? accountFiles[path]).split("\n").map((line) => line.split(":"));

/** The line of a user in `/etc/passwd`, field by field; `undefined`: there is none. */
export const userOf = (name: string, disk: Disk): readonly string[] | undefined =>
  entries("/etc/passwd", disk).find(([known]) => known === name);

/** The line of a group in `/etc/group`, field by field; `undefined`: there is none. */
export const groupOf = (name: string, disk: Disk): readonly string[] | undefined =>
  entries("/etc/group", disk).find(([known]) => known === name);

/** Adds users, each with a group of its name; those that are there stay as they are. */
export const addUsers = (names: readonly string[], disk: Disk): void => {
  for (const name of names) {
    if (userOf(name, disk) !== undefined) continue;
    const taken = entries("/etc/passwd", disk).map(([, , id]) => Number(id));
    const id = Math.max(999, ...taken.filter((each) => each < 60_000)) + 1;
    disk.write("/etc/passwd", `${disk.text("/etc/passwd") ?? accountFiles["/etc/passwd"]}${userLine(name, id)}`);
    disk.write("/etc/group", `${disk.text("/etc/group") ?? accountFiles["/etc/group"]}${groupLine(name, id)}`);
  }
};
