/** The source of a regular expression that matches the text itself. */
export const literalPattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
