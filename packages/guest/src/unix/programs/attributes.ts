import type { Disk } from "../../boot/disk.ts";
import { groupOf, userOf } from "../../boot/accounts.ts";
import type { UnixContext, UnixPrograms } from "../program.ts";
import { changedMode } from "./modes.ts";
import { below } from "./paths.ts";

/** `user`, `user:group`, `:group`, `user:`, by names or numbers. */
const owned = (given: string, before: string, disk: Disk): string | { readonly wrong: string } => {
  const [user = "", group] = given.split(/[:.]/);
  const [oldUser = "root", oldGroup = "root"] = before.split(":");
  const nameIn = (find_: typeof userOf, text: string, file: string): string | undefined => {
    if (find_(text, disk) !== undefined) return text;
    if (!/^\d+$/.test(text)) return undefined;
    const line = (disk.text(file) ?? "").split("\n").find((each) => each.split(":")[2] === text);
    return line?.split(":")[0] ?? text;
  };
  const ownUser = user === "" ? oldUser : nameIn(userOf, user, "/etc/passwd");
  if (ownUser === undefined) return { wrong: `invalid user: ‘${given}’` };
  const asked = group === undefined ? oldGroup : group === "" ? ownUser : nameIn(groupOf, group, "/etc/group");
  return asked === undefined ? { wrong: `invalid group: ‘${given}’` } : `${ownUser}:${asked}`;
};

/** Changes files and folders, with `-R` and all that is in them. */
const changeAll = (
  { args, disk, fail }: UnixContext,
  change: (
    given: string,
    before: { owner: string; permissions: string },
    isFolder: boolean,
  ) => { owner: string; permissions: string } | { readonly wrong: string },
): number => {
  const words = args.filter((word) => !/^-[a-zA-Z]*[RfhvcLHP][a-zA-Z]*$/.test(word) && !word.startsWith("--"));
  const isDeep = args.some((word) => /^-[a-zA-Z]*R/.test(word) || word === "--recursive");
  const reference = args.find((word) => word.startsWith("--reference="));
  const [given = "", ...paths] = reference === undefined ? words : ["", ...words];
  let status = 0;
  for (const path of paths.flatMap((each) => [each, ...(isDeep ? below(disk, each) : [])])) {
    const before = disk.stat(path) ?? disk.folder(path);
    if (before === undefined) {
      status = disk.link(path) === undefined ? fail(`cannot access '${path}': No such file or directory`) : status;
      continue;
    }
    const next = change(given, before, disk.stat(path) === undefined);
    if ("wrong" in next) return fail(next.wrong);
    const file = disk.stat(path);
    if (file === undefined) disk.makeDirectory(path, next);
    else disk.write(path, file.bytes, next);
  }
  return status;
};

/** Programs that change modes and owners. */
export const attributePrograms: UnixPrograms = {
  chmod: (context) =>
    changeAll(context, (given, before, isFolder) => ({
      ...before,
      permissions: changedMode(given, before.permissions, isFolder),
    })),
  chown: (context) =>
    changeAll(context, (given, before) => {
      const owner = owned(given, before.owner, context.disk);
      return typeof owner === "string" ? { ...before, owner } : owner;
    }),
  chgrp: (context) =>
    changeAll(context, (given, before) => {
      const owner = owned(`:${given}`, before.owner, context.disk);
      return typeof owner === "string" ? { ...before, owner } : { wrong: `invalid group: ‘${given}’` };
    }),
};
