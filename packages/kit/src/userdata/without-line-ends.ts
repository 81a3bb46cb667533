/** A text without the line feeds at its end. Letter by letter: a pattern would begin again at every one of many within the text. */
export const withoutLineEnds = (text: string): string => {
  let end = text.length;
  while (end > 0 && text[end - 1] === "\n") end -= 1;
  return text.slice(0, end);
};
