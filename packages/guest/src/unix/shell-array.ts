/** An array of bash: by number in order, or by any key. It never changes; who sets an element makes another. */
export interface ShellArray {
  readonly isAssociative: boolean;
  readonly entries: ReadonlyMap<string, string>;
}

/** The value of a variable. */
export type Value = string | ShellArray;

/** The array of the words, from 0 on. */
export const arrayOf = (words: readonly string[]): ShellArray => ({
  isAssociative: false,
  entries: new Map(words.map((word, index) => [String(index), word])),
});

export const emptyMap: ShellArray = { isAssociative: true, entries: new Map() };

/** A variable where one text is asked for: of an array its element 0. */
export const scalarOf = (value: Value | undefined): string | undefined =>
  typeof value === "string" ? value : value?.entries.get("0");

/** All elements of a variable, of which a text has one. */
export const elementsOf = (value: Value | undefined): readonly string[] => {
  if (value === undefined) return [];
  return typeof value === "string" ? [value] : [...value.entries.values()];
};

/** Their keys. */
export const keysOf = (value: Value | undefined): readonly string[] => {
  if (value === undefined) return [];
  return typeof value === "string" ? ["0"] : [...value.entries.keys()];
};

const asArray = (value: Value | undefined): ShellArray => {
  if (value === undefined) return arrayOf([]);
  return typeof value === "string" ? arrayOf([value]) : value;
};

/** A number from the end of an array counts from its last element. */
export const keyIn = (value: Value | undefined, key: string): string => {
  const { entries, isAssociative } = asArray(value);
  if (isAssociative || !key.startsWith("-")) return key;
  return String(Math.max(-1, ...[...entries.keys()].map(Number)) + 1 + Number(key));
};

/** The array with one element set; absent `text`: without it. */
export const withElement = (value: Value | undefined, key: string, text: string | undefined): ShellArray => {
  const { entries, isAssociative } = asArray(value);
  const next = new Map(entries);
  if (text === undefined) next.delete(key);
  else next.set(key, text);
  if (isAssociative) return { isAssociative, entries: next };
  return { isAssociative, entries: new Map([...next].toSorted(([one], [other]) => Number(one) - Number(other))) };
};

/** The array with words added after its last element. */
export const withWords = (value: Value | undefined, words: readonly string[]): ShellArray => {
  const { entries, isAssociative } = asArray(value);
  const from = Math.max(-1, ...[...entries.keys()].map(Number)) + 1;
  return {
    isAssociative,
    entries: new Map([...entries, ...words.map((word, at) => [String(from + at), word] as const)]),
  };
};
