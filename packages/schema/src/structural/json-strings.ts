const backslash = 0x5c;

/** Index just behind the string literal that starts at `start`; the end of the text when it does not end. */
export const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) {
      escapes++;
    }
    if (escapes % 2 === 0) {
      return end + 1;
    }
  }
  return text.length;
};
