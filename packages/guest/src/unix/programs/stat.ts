import { groupOf, userOf } from "../../boot/accounts.ts";
import { readOptions, type UnixProgram } from "../program.ts";

/** `stat`, of files, folders and links. */
export const stat: UnixProgram = ({ args, disk, fail, write }) => {
  const { options, words } = readOptions(args, ["-c", "--format", "--printf"]);
  const format = options.get("-c") ?? options.get("--format") ?? options.get("--printf") ?? "%n %s %a %U:%G";
  let status = 0;
  for (const path of words) {
    const target = options.has("-L") ? undefined : disk.link(path);
    const file = target === undefined ? disk.stat(path) : undefined;
    const found = target === undefined ? (file ?? disk.folder(path)) : { owner: "root:root", permissions: "0777" };
    if (found === undefined) {
      status = fail(`cannot statx '${path}': No such file or directory`);
      continue;
    }
    const [user = "root", group = "root"] = found.owner.split(":");
    const fields: Readonly<Record<string, string>> = {
      a: found.permissions.replace(/^0+(?=.)/, ""),
      U: user,
      G: group || "root",
      u: userOf(user, disk)?.[2] ?? user,
      g: groupOf(group, disk)?.[2] ?? group,
      s: String(file?.bytes.length ?? target?.length ?? 4096),
      n: path,
      N: `'${path}'`,
      F:
        target !== undefined
          ? "symbolic link"
          : file === undefined
            ? "directory"
            : file.bytes.length === 0
              ? "regular empty file"
              : "regular file",
      T: "ext2/ext3",
    };
    const text = format.replaceAll(/%([a-zA-Z])/g, (whole, name: string) => fields[name] ?? whole);
    write(options.has("--printf") ? text.replaceAll("\\n", "\n") : `${text}\n`);
  }
  return status;
};
