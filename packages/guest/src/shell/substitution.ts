/** Stands in a line for the substitution with its number; the character belongs to no alphabet. */
const place = (index: number): string => `\uE000${index}\uE000`;

const places = /\uE000(\d+)\uE000/g;

/** Where the parenthesis that opens at `start` closes, past quotes and further ones; -1 when it does not. */
const closing = (line: string, start: number): number => {
  let depth = 0;
  let quote = "";
  for (let index = start; index < line.length; index += 1) {
    const character = line.charAt(index);
    if (quote !== "'" && character === "\\") index += 1;
    else if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === "'" || character === '"') quote = character;
    else if (character === "(") depth += 1;
    else if (character === ")" && (depth -= 1) === 0) return index;
  }
  return -1;
};

/** A line of shell whose command substitutions are taken out. */
export interface Substituted {
  readonly line: string;
  /** The commands of `$(...)`, in their order. */
  readonly commands: readonly string[];
}

/** Takes the substitutions out, but for those between single quotes, which are none. */
export const takeSubstitutions = (line: string): Substituted => {
  const commands: string[] = [];
  let rest = "";
  let [isSingle, isDouble] = [false, false];
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    const end = !isSingle && line.startsWith("$(", index) ? closing(line, index + 1) : -1;
    if (end > 0) {
      rest += place(commands.push(line.slice(index + 2, end)) - 1);
      index = end;
      continue;
    }
    if (character === "'" && !isDouble) isSingle = !isSingle;
    if (character === '"' && !isSingle) isDouble = !isDouble;
    const isEscape = character === "\\" && !isSingle;
    rest += isEscape ? line.slice(index, index + 2) : character;
    if (isEscape) index += 1;
  }
  return { line: rest, commands };
};

const withoutLineEnds = (text: string): string => {
  let end = text.length;
  while (end > 0 && text[end - 1] === "\n") end -= 1;
  return text.slice(0, end);
};

/** The word with what the substitutions printed, which `outputOf` says by their numbers. */
export const withSubstitutions = async (
  word: string,
  outputOf: (index: number) => Promise<string>,
): Promise<string> => {
  let [filled, from] = ["", 0];
  for (const { 0: found, 1: number, index } of word.matchAll(places)) {
    filled += word.slice(from, index) + withoutLineEnds(await outputOf(Number(number)));
    from = index + found.length;
  }
  return filled + word.slice(from);
};
