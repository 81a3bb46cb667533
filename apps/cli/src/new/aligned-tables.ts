const cellsOf = (row: string): readonly string[] =>
  row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

const aligned = (table: string): string => {
  const rows = table.trimEnd().split("\n").map(cellsOf);
  const widthOf = (column: number): number =>
    Math.max(3, ...rows.map((row) => (/^-+$/.test(row[column] ?? "") ? 0 : (row[column] ?? "").length)));
  const written = rows.map((row) =>
    row.map((cell, column) => (/^-+$/.test(cell) ? "-".repeat(widthOf(column)) : cell.padEnd(widthOf(column)))),
  );
  return written.map((row) => `| ${row.join(" | ")} |\n`).join("");
};

/** The columns of Markdown's tables as wide as what stands in them, whose lengths names have changed. */
export const alignedTables = (text: string): string => text.replaceAll(/(?:^\|.*\|\n)+/gm, aligned);
