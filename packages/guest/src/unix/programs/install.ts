import { groupOf, userOf } from "../../boot/accounts.ts";
import { deviceText } from "../devices.ts";
import { readOptions, type UnixProgram } from "../program.ts";
import { changedMode } from "./modes.ts";
import { folderOf, placeIn } from "./paths.ts";

/** `install`: copies with a mode and an owner, or makes folders. */
export const install: UnixProgram = (context) => {
  const { args, disk, fail } = context;
  const { options, words } = readOptions(args, ["-m", "--mode", "-o", "--owner", "-g", "--group", "-t"]);
  const permissions = changedMode(options.get("-m") ?? options.get("--mode") ?? "0755", "0000", true);
  const owner = `${options.get("-o") ?? options.get("--owner") ?? "root"}:${options.get("-g") ?? options.get("--group") ?? "root"}`;
  const [user = "", group = ""] = owner.split(":");
  if (userOf(user, disk) === undefined && !/^\d+$/.test(user)) return fail(`invalid user: ‘${user}’`);
  if (groupOf(group, disk) === undefined && !/^\d+$/.test(group)) return fail(`invalid group: ‘${group}’`);
  if (options.has("-d") || options.has("--directory")) {
    for (const word of words) disk.makeDirectory(word, { permissions, owner });
    return 0;
  }
  const target = options.get("-t") ?? words.at(-1) ?? "";
  for (const source of options.has("-t") ? words : words.slice(0, -1)) {
    const bytes = deviceText(source, context.session) ?? disk.stat(source)?.bytes;
    if (bytes === undefined) return fail(`cannot stat '${source}': No such file or directory`);
    const to = placeIn(disk, source, target);
    if (options.has("-D")) disk.makeDirectory(folderOf(to));
    else if (!disk.isDirectory(folderOf(to))) {
      return fail(`cannot create regular file '${to}': No such file or directory`);
    }
    disk.remove(to);
    disk.write(to, bytes, { permissions, owner });
  }
  return 0;
};
