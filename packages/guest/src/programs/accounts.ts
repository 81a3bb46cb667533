import { groupOf, userOf } from "../boot/accounts.ts";
import type { Disk } from "../boot/disk.ts";
import { readOptions, type UnixContext, type UnixProgram, type UnixPrograms } from "../unix/program.ts";

const linesIn = (disk: Disk, path: string): readonly (readonly string[])[] =>
  (disk.text(path) ?? "")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split(":"));

const save = (disk: Disk, path: string, lines: readonly (readonly string[])[]): void =>
  disk.write(path, lines.map((line) => `${line.join(":")}\n`).join(""), disk.stat(path));

/** The next number that is free: those of the system are counted down from 999, others up from 1000. */
const freeNumber = (disk: Disk, path: string, isSystem: boolean): number => {
  const taken = new Set(linesIn(disk, path).map(([, , id]) => Number(id)));
  let id = isSystem ? 999 : 1000;
  while (taken.has(id)) id += isSystem ? -1 : 1;
  return id;
};

const addGroup = (
  disk: Disk,
  name: string,
  options: { readonly id?: string | undefined; readonly isSystem: boolean },
): string => {
  const id = options.id ?? String(freeNumber(disk, "/etc/group", options.isSystem));
  save(disk, "/etc/group", [...linesIn(disk, "/etc/group"), [name, "x", id, ""]]);
  return id;
};

/** Makes a user a member of groups; of others as well as before, unless `isAll`. The group that is not there, if any. */
const joinGroups = (disk: Disk, user: string, groups: readonly string[], isAll: boolean): string | undefined => {
  const missing = groups.find((name) => groupOf(name, disk) === undefined);
  if (missing !== undefined) return missing;
  const next = linesIn(disk, "/etc/group").map(([name = "", mark = "x", id = "", members = ""]) => {
    const before = members.split(",").filter((each) => each !== "");
    const kept = isAll ? before.filter((each) => each !== user) : before;
    return [name, mark, id, (groups.includes(name) ? [...new Set([...kept, user])] : kept).join(",")];
  });
  save(disk, "/etc/group", next);
  return undefined;
};

/** The names of a user's groups, its own first. */
const groupsOf = (disk: Disk, user: string): readonly string[] => {
  const own = userOf(user, disk)?.[3];
  const groups = linesIn(disk, "/etc/group");
  const first = groups.filter(([, , id]) => id === own).map(([name = ""]) => name);
  return [
    ...new Set([
      ...first,
      ...groups.filter(([, , , members = ""]) => members.split(",").includes(user)).map(([name = ""]) => name),
    ]),
  ];
};

const valued = [
  "-g",
  "--gid",
  "-G",
  "--groups",
  "-u",
  "--uid",
  "-d",
  "--home",
  "--home-dir",
  "-s",
  "--shell",
  "-c",
  "--comment",
  "-k",
  "-e",
  "-p",
  "--password",
];

const useradd: UnixProgram = ({ args, disk, fail }) => {
  const { options, words } = readOptions(args, valued);
  const [name = ""] = words;
  if (userOf(name, disk) !== undefined) return fail(`user '${name}' already exists`, 9);
  const isSystem = options.has("-r") || options.has("--system");
  const asked = options.get("-g") ?? options.get("--gid");
  const group =
    asked === undefined ? undefined : (groupOf(asked, disk)?.[2] ?? (/^\d+$/.test(asked) ? asked : undefined));
  if (asked !== undefined && group === undefined) return fail(`group '${asked}' does not exist`, 6);
  const id = options.get("-u") ?? options.get("--uid") ?? String(freeNumber(disk, "/etc/passwd", isSystem));
  if (asked === undefined && groupOf(name, disk) !== undefined) {
    return fail(`group ${name} exists - if you want to add this user to that group, use -g.`, 9);
  }
  const home = options.get("-d") ?? options.get("--home-dir") ?? options.get("--home") ?? `/home/${name}`;
  const shell = options.get("-s") ?? options.get("--shell") ?? "/bin/sh";
  const own = group ?? addGroup(disk, name, { id: undefined, isSystem });
  const more = (options.get("-G") ?? options.get("--groups") ?? "").split(",").filter((each) => each !== "");
  const missing = more.find((each) => groupOf(each, disk) === undefined);
  if (missing !== undefined) return fail(`group '${missing}' does not exist`, 6);
  const comment = options.get("-c") ?? options.get("--comment") ?? "";
  save(disk, "/etc/passwd", [...linesIn(disk, "/etc/passwd"), [name, "x", id, own, comment, home, shell]]);
  joinGroups(disk, name, more, false);
  const makesHome = (options.has("-m") || options.has("--create-home")) && !options.has("-M");
  if (makesHome) {
    disk.makeDirectory(home, {
      owner: `${name}:${linesIn(disk, "/etc/group").find(([, , each]) => each === own)?.[0] ?? name}`,
    });
  }
  return 0;
};

const usermod: UnixProgram = ({ args, disk, fail }) => {
  const { options, words } = readOptions(args, [...valued, "-l"]);
  const [name = ""] = words;
  // `-aG` stands together with the groups after it.
  const line = userOf(name, disk);
  if (line === undefined) return fail(`user '${name}' does not exist`, 6);
  const groups = options.get("-G") ?? options.get("--groups");
  if (groups !== undefined) {
    const isAdded = options.has("-a") || options.has("--append");
    const missing = joinGroups(disk, name, groups.split(","), !isAdded);
    if (missing !== undefined) return fail(`group '${missing}' does not exist`, 6);
  }
  const [, mark = "x", id = "", group = "", comment = "", home = "", shell = ""] = line;
  const next = [
    name,
    mark,
    options.get("-u") ?? id,
    groupOf(options.get("-g") ?? "", disk)?.[2] ?? group,
    options.get("-c") ?? comment,
    options.get("-d") ?? home,
    options.get("-s") ?? options.get("--shell") ?? shell,
  ];
  save(
    disk,
    "/etc/passwd",
    linesIn(disk, "/etc/passwd").map((each) => (each[0] === name ? next : each)),
  );
  return 0;
};

const without =
  (path: string, kind: string): UnixProgram =>
  ({ args, disk, fail }) => {
    const { words } = readOptions(args);
    const [name = ""] = words;
    if (!linesIn(disk, path).some(([each]) => each === name)) return fail(`${kind} '${name}' does not exist`, 6);
    save(
      disk,
      path,
      linesIn(disk, path).filter(([each]) => each !== name),
    );
    return 0;
  };

const id: UnixProgram = ({ args, disk, fail, write }) => {
  const { options, words } = readOptions(args);
  const [name = "root"] = words;
  const user = userOf(name, disk) ?? linesIn(disk, "/etc/passwd").find(([, , number]) => number === name);
  if (user === undefined) return fail(`‘${name}’: no such user`);
  const [login = name, , number = "0", group = "0"] = user;
  const named = groupsOf(disk, login);
  const numberOf = (each: string): string => groupOf(each, disk)?.[2] ?? each;
  const isNamed = options.has("-n");
  if (options.has("-G")) write(`${named.map((each) => (isNamed ? each : numberOf(each))).join(" ")}\n`);
  else if (options.has("-g")) write(`${isNamed ? (named[0] ?? group) : group}\n`);
  else if (options.has("-u")) write(`${isNamed ? login : number}\n`);
  else {
    const all = named.map((each) => `${numberOf(each)}(${each})`).join(",");
    write(`uid=${number}(${login}) gid=${group}(${named[0] ?? group}) groups=${all}\n`);
  }
  return 0;
};

const entries = ({ args: [database = "", ...names], disk, write }: UnixContext): number => {
  const path = database === "passwd" || database === "group" ? `/etc/${database}` : undefined;
  if (path === undefined) return 0;
  const all = linesIn(disk, path);
  const found = names.map((name) => all.find(([each, , number]) => each === name || number === name));
  for (const line of names.length === 0 ? all : found) if (line !== undefined) write(`${line.join(":")}\n`);
  return found.includes(undefined) ? 2 : 0;
};

/** Users and groups, as they stand in the files of the machine. */
export const accountPrograms: UnixPrograms = {
  useradd,
  adduser: useradd,
  usermod,
  userdel: without("/etc/passwd", "user"),
  groupadd: ({ args, disk, fail }) => {
    const { options, words } = readOptions(args, ["-g", "--gid"]);
    const [name = ""] = words;
    if (groupOf(name, disk) !== undefined) return options.has("-f") ? 0 : fail(`group '${name}' already exists`, 9);
    addGroup(disk, name, {
      id: options.get("-g") ?? options.get("--gid"),
      isSystem: options.has("-r") || options.has("--system"),
    });
    return 0;
  },
  groupdel: without("/etc/group", "group"),
  chpasswd: ({ input }) => (input.all(), 0),
  passwd: () => 0,
  groups: ({ args: [name = "root"], disk, write }) => (write(`${name} : ${groupsOf(disk, name).join(" ")}\n`), 0),
  whoami: ({ write }) => (write("root\n"), 0),
  id,
  getent: entries,
};
