import type { Session } from "../session.ts";

const octal = (bits: number): string => bits.toString(8).padStart(4, "0");

/** The mode of a file that a program makes. */
export const newFileMode = ({ umask }: Pick<Session, "umask">): string => octal(0o666 & ~umask);

/** The mode of a folder that a program makes. */
export const newFolderMode = ({ umask }: Pick<Session, "umask">): string => octal(0o777 & ~umask);

const shifts: Readonly<Record<string, number>> = { u: 6, g: 3, o: 0 };

/** The mode after `chmod`, by a number or by `u+x,go-r`. */
export const changedMode = (given: string, before: string, isFolder: boolean): string => {
  if (/^[0-7]+$/.test(given)) return octal(Number.parseInt(given, 8));
  let bits = Number.parseInt(before, 8);
  for (const clause of given.split(",")) {
    const [, who = "", changes = ""] = /^([ugoa]*)([-+=].*)$/.exec(clause) ?? [];
    for (const [, sign = "", letters = ""] of changes.matchAll(/([-+=])([rwxXst]*)/g)) {
      for (const each of who === "" || who.includes("a") ? "ugo" : who) {
        const isExecutable = isFolder || (bits & 0o111) !== 0;
        const value =
          (letters.includes("r") ? 4 : 0) |
          (letters.includes("w") ? 2 : 0) |
          (letters.includes("x") || (letters.includes("X") && isExecutable) ? 1 : 0);
        const shift = shifts[each] ?? 0;
        if (sign === "=") bits &= ~(7 << shift);
        bits = sign === "-" ? bits & ~(value << shift) : bits | (value << shift);
      }
    }
  }
  return octal(bits);
};
