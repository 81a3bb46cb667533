import { createHash } from "node:crypto";
import type { Disk } from "../boot/disk.ts";
import type { Program } from "./shell.ts";

/** Whether a path has the parts in their order, with anything but slashes between. Each is taken where it comes first. */
const fits = (parts: readonly string[], path: string): boolean => {
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (!path.startsWith(first) || !path.endsWith(last) || path.length < first.length + last.length) return false;
  const end = path.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = path.indexOf(part, at);
    if (found < 0 || found + part.length > end || path.slice(at, found).includes("/")) return false;
    at = found + part.length;
  }
  return !path.slice(at, end).includes("/");
};

/** Paths that a word with `*` stands for; the word itself when there is none. */
const pathsOf = (disk: Disk, word: string): readonly string[] => {
  if (!word.includes("*")) return [word];
  const parts = word.split("*");
  const found = disk.paths().filter((path) => fits(parts, path));
  return found.length === 0 ? [word] : found.toSorted();
};

/** Programs that look at files and texts, as far as documents use them. */
export const textPrograms: Readonly<Record<string, Program>> = {
  sha256sum: ({ args, console, disk, write }) => {
    let status = 0;
    for (const path of args.flatMap((word) => pathsOf(disk, word))) {
      const file = disk.stat(path);
      if (file === undefined) {
        console.print("sha256sum", `${path}: No such file or directory`);
        status = 1;
      } else write(`${createHash("sha256").update(file.bytes).digest("hex")}  ${path}\n`);
    }
    return status;
  },
  awk: ({ args: [script = "", ...others], console, stdin, write }) => {
    const [, field] = /^\{ *print \$(\d+) *\}$/.exec(script) ?? [];
    if (field === undefined || others.length > 0) {
      console.print("awk", "only '{print $N}' of standard input is modelled");
      return 2;
    }
    for (const line of stdin.split("\n").filter((text) => text !== "")) {
      write(`${line.trim().split(/\s+/)[Number(field) - 1] ?? ""}\n`);
    }
    return 0;
  },
};
