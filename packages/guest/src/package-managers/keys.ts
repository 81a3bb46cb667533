import { textOfBytes } from "../boot/text-bytes.ts";
import { keyMark } from "../internet/repositories.ts";
import { readOptions, type UnixProgram } from "../unix/program.ts";

/** Returns whether a file begins as packets of OpenPGP do: with a byte above 127. */
export const isBinaryKey = (text: string): boolean => /^[\uDC80-\uDCFF]/.test(text);

/** The packets in an armoured key. */
const dearmoured = (text: string): string => {
  const lines = text.split("\n").map((line) => line.trim());
  const begin = lines.indexOf("") + 1;
  const end = lines.findIndex((line, index) => index >= begin && /^[=-]/.test(line));
  return textOfBytes(Buffer.from(lines.slice(begin, end < 0 ? undefined : end).join(""), "base64"));
};

/** `gpg`, as far as keys of repositories go: `--dearmor`, `--import`. */
export const gpg: UnixProgram = ({ args, disk, input, streams, write }) => {
  const { options, words } = readOptions(args, ["-o", "--output", "--keyring", "--homedir", "--keyserver"]);
  const [path] = words;
  const text = path === undefined ? input.all() : disk.text(path);
  if (text === undefined) {
    streams.err(`gpg: can't open '${path}': No such file or directory\n`);
    return 2;
  }
  if (options.has("--import") || options.has("--recv-keys") || options.has("--list-keys")) return 0;
  if (!options.has("--dearmor") && !options.has("--dearmour")) {
    streams.err("gpg: only --dearmor is modelled\n");
    return 2;
  }
  const target = options.get("-o") ?? options.get("--output");
  if (target !== undefined && disk.stat(target) !== undefined && !options.has("--yes")) {
    const why = options.has("--batch")
      ? "no valid OpenPGP data found."
      : "cannot open '/dev/tty': No such device or address";
    streams.err(`gpg: ${why}\ngpg: dearmoring failed: File exists\n`);
    return 2;
  }
  const folder = target?.slice(0, target.lastIndexOf("/")) ?? "";
  if (target !== undefined && folder !== "" && !disk.isDirectory(folder)) {
    streams.err(`gpg: can't create '${target}': No such file or directory\n`);
    return 2;
  }
  if (!text.startsWith(keyMark)) {
    streams.err("gpg: no valid OpenPGP data found.\n");
    if (target !== undefined) disk.write(target, "");
    return 2;
  }
  const key = dearmoured(text);
  if (target === undefined) write(key);
  else disk.write(target, key);
  return 0;
};
