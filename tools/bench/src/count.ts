/** The value of a flag that is a number of things. Throws when it is not a whole number from 1. */
export const count = (flag: string, text: string): number => {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new Error(`--${flag} ${text}: give a whole number from 1`);
};
