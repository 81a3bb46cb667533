/** Text without its percent escapes; what cannot be unescaped stays as it is, for whoever looks at it next to refuse. */
export const unescapedIfPossible = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The value of a text of JSON; `undefined` if it is none. */
export const jsonIfPossible = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
