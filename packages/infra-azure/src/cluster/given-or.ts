/** The text, or what stands for one that is missing or empty. */
export const textOr = (given: string | undefined, otherwise: string): string =>
  given === undefined || given === "" ? otherwise : given;

/** The list, or what stands for one that is missing or empty. */
export const listOr = (given: readonly string[] | undefined, otherwise: readonly string[]): readonly string[] =>
  given === undefined || given.length === 0 ? otherwise : given;
