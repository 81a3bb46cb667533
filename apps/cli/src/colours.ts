/** Escape codes of terminals. */
const codes = { dim: 2, red: 31, green: 32, yellow: 33, bold: 1 } as const;

export type Colour = keyof typeof codes;

/** Colours a text for a terminal, where `on`. */
export const paint = (text: string, colour: Colour, on: boolean): string =>
  on && text !== "" ? `\u001B[${codes[colour]}m${text}\u001B[0m` : text;
