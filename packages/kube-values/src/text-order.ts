/** Compares by UTF-16 code units, for `sort`: the same order on every machine, unlike `localeCompare`. */
export const byText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
