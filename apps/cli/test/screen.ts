/** What a terminal shows after everything that was written to it: enough of one for what is drawn over itself. */
export const createScreen = (columns: number) => {
  const lines: string[] = [""];
  let [row, column, cursor] = [0, 0, true];
  const put = (text: string): void => {
    for (const letter of text) {
      if (column === columns) {
        row += 1;
        column = 0;
      }
      const line = (lines[row] ?? "").padEnd(column);
      lines[row] = line.slice(0, column) + letter + line.slice(column + 1);
      column += 1;
    }
  };
  const control = (amount: string, letter: string): void => {
    const count = Number(amount || "1");
    if (letter === "A") row = Math.max(0, row - count);
    if (letter === "B") row += count;
    if (letter === "G") column = 0;
    if (letter === "K") lines[row] = amount === "2" ? "" : (lines[row] ?? "").slice(0, column);
    if (letter === "l" && amount === "?25") cursor = false;
    if (letter === "h" && amount === "?25") cursor = true;
  };
  const typed = (words: string): void => {
    for (const part of words.split(/(\n)/)) {
      if (part === "\n") [row, column] = [row + 1, 0];
      else put(part);
      lines[row] ??= "";
    }
  };
  return {
    write: (text: string): void => {
      const [before = "", ...sequences] = text.split("\u001B[");
      typed(before);
      for (const sequence of sequences) {
        const [all = "", amount = "", letter = ""] = /^([?\d]*)([A-Za-z])/.exec(sequence) ?? [];
        control(amount, letter);
        typed(sequence.slice(all.length));
      }
    },
    lines: (): readonly string[] =>
      lines.map((line) => line.trimEnd()).filter((line, index) => line !== "" || index < row),
    isCursorShown: (): boolean => cursor,
  };
};
