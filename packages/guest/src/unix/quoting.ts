/** A text that a shell reads as it is, between single quotes. */
export const inSingleQuotes = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A text that a shell reads as it is, between double quotes. */
export const inQuotes = (text: string): string => `"${text.replace(/["\\$`]/g, String.raw`\$&`)}"`;

/** A text that a shell reads as it is, with a backslash before what needs one, as `printf %q` has it. */
export const escapedText = (text: string): string => {
  if (text === "") return "''";
  // oxlint-disable-next-line no-control-regex -- what no backslash can stand before
  if (/[\u0000-\u001F]/.test(text)) {
    const signs: Readonly<Record<string, string>> = { "\n": "\\n", "\t": "\\t", "\r": "\\r", "'": "\\'", "\\": "\\\\" };
    return `$'${text.replace(/[\n\t\r'\\]/g, (sign) => signs[sign] ?? sign)}'`;
  }
  return text.replace(/[^A-Za-z0-9_@%+=:,./\u0080-\uFFFF-]/g, String.raw`\$&`);
};
