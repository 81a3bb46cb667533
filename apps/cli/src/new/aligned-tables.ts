const cellsOf = (row: string): readonly string[] =>
  row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

/** Rows that are longer when aligned are not. */
const maxLength = 300;

const ignored = "<!-- prettier-ignore -->\n";

const aligned = (table: string): string => {
  const rows = table.trimEnd().split("\n").map(cellsOf);
  const widthOf = (column: number): number =>
    Math.max(3, ...rows.map((row) => (/^-+$/.test(row[column] ?? "") ? 0 : (row[column] ?? "").length)));
  const written = rows.map((row) =>
    row.map((cell, column) => (/^-+$/.test(cell) ? "-".repeat(widthOf(column)) : cell.padEnd(widthOf(column)))),
  );
  const text = (cells: readonly (readonly string[])[]): string =>
    cells.map((row) => `| ${row.join(" | ")} |\n`).join("");
  const isLong = written.some((row) => row.join(" | ").length + 4 > maxLength);
  if (!isLong) return text(written);
  return ignored + text(rows.map((row) => row.map((cell) => cell.replace(/^-+$/, "---"))));
};

/** The columns of Markdown's tables as wide as what stands in them, whose lengths names have changed. */
export const alignedTables = (text: string): string =>
  text.replaceAll(/(?:^<!-- prettier-ignore -->\n)?((?:^\|.*\|\n)+)/gm, (_, table: string) => aligned(table));
