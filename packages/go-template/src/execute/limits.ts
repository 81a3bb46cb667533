/** Limits of one rendering, whatever the template contains. */
export interface Limits {
  /** Bytes of what it writes. Default 1 MiB. */
  readonly outputBytes: number;
  /** Statements, operands and calls. Default 1,000,000. */
  readonly steps: number;
}

export const defaultLimits: Limits = { outputBytes: 2 ** 20, steps: 1_000_000 };

/** Templates call one another so deep. */
export const deepestCall = 200;

/** Characters of a text that a function makes. */
export const longestText = 2 ** 20;

/** Items of a list that a function makes. */
export const longestList = 100_000;
