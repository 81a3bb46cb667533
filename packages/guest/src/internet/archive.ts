const mark = "capstan-archive\n";

/** An archive of the model: files by their paths in it. */
export const archive = (files: Readonly<Record<string, string>>): string => `${mark}${JSON.stringify(files)}`;

/** The files in an archive; `undefined`: it is none. */
export const filesIn = (text: string): Readonly<Record<string, string>> | undefined =>
  text.startsWith(mark) ? (JSON.parse(text.slice(mark.length)) as Readonly<Record<string, string>>) : undefined;
