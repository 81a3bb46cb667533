import { fitsPattern, isPattern, literalPattern, withoutBackslashes } from "./pattern.ts";
import type { Session } from "./session.ts";
import { scalarOf } from "./shell-array.ts";

/** Result of the expansion of a part of a word. */
export interface Piece {
  /** More than one for `$@`. */
  readonly texts: readonly string[];
  readonly quoted: boolean;
  /** It stood so in the script, and is not split. */
  readonly literal: boolean;
  readonly isList?: boolean;
  /** Between its texts where they become one. Default: a space. */
  readonly by?: string;
}

/** The fields of a word, with the paths in place of a pattern that has some. */
export const fieldsOf = (pieces: readonly Piece[], session: Session): readonly string[] => {
  const patterns: string[] = [];
  const separators = scalarOf(session.variables.get("IFS")) ?? " \t\n";
  let current: string | undefined;
  const add = (pattern: string): void => void (current = (current ?? "") + pattern);
  const end = (): void => {
    if (current !== undefined) patterns.push(current);
    current = undefined;
  };
  for (const { isList = false, literal, quoted, texts } of pieces) {
    for (const [index, text] of texts.entries()) {
      if (index > 0 && isList) end();
      if (quoted) add(literalPattern(text));
      else if (literal) add(text.replaceAll("\\", "\\\\"));
      else {
        const words = splitBy(separators, text);
        for (const [place, word] of words.entries()) {
          if (place > 0) end();
          if (word !== "") add(word.replaceAll("\\", "\\\\"));
        }
      }
    }
  }
  end();
  return patterns.flatMap((pattern) =>
    isPattern(pattern) && !session.options.has("f") ? pathsFor(pattern, session) : [withoutBackslashes(pattern)],
  );
};

/** A text in pieces by the separators of `IFS`, of which blanks count together. */
export const splitBy = (separators: string, text: string): readonly string[] => {
  if (separators === "") return [text];
  const blanks = Array.from(separators)
    .filter((sign) => " \t\n".includes(sign))
    .join("");
  const others = Array.from(separators)
    .filter((sign) => !" \t\n".includes(sign))
    .join("");
  const set = (signs: string): string => `[${signs.replace(/[\]\\^-]/g, "\\$&")}]`;
  const blank = blanks === "" ? "(?:)" : set(blanks);
  if (others === "") return text.split(new RegExp(`${blank}+`));
  const expression = blanks === "" ? set(others) : `${blank}*${set(others)}${blank}*|${blank}+`;
  return text.split(new RegExp(expression));
};

const pathsFor = (pattern: string, session: Session): readonly string[] => {
  const isAbsolute = pattern.startsWith("/");
  const found = matchingPaths(isAbsolute ? pattern : `${literalPattern(session.directory)}/${pattern}`, session);
  if (found.length === 0) return session.shopt.has("nullglob") ? [] : [withoutBackslashes(pattern)];
  const prefix = session.directory === "/" ? "/" : `${session.directory}/`;
  return isAbsolute ? found : found.map((path) => (path.startsWith(prefix) ? path.slice(prefix.length) : path));
};

/** Files and folders that fit a pattern, whose slashes stand for themselves. */
const matchingPaths = (pattern: string, { disk, shopt }: Session): readonly string[] => {
  const wanted = pattern.split("/").filter((part) => part !== "");
  const found = new Set<string>();
  for (const path of [...disk.paths(), ...disk.folders()]) {
    const parts = path.split("/").slice(1);
    if (parts.length < wanted.length) continue;
    const fits = wanted.every((part, index) => {
      const name = parts[index] ?? "";
      return fitsPattern(part, name) && (!name.startsWith(".") || part.startsWith(".") || shopt.has("dotglob"));
    });
    if (fits) found.add(`/${parts.slice(0, wanted.length).join("/")}`);
  }
  return [...found].toSorted();
};
