/** Returns the lines of a table: columns as wide as their widest cell, two spaces between them. */
export const textTable = (header: readonly string[], rows: readonly (readonly string[])[]): readonly string[] => {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
};
