const mark = "capstan-archive\n";

/** A member of an archive: its text, where it is packed by a program with its mode. */
export type ArchiveMember = string | { readonly text: string; readonly permissions: string };

/** An archive of the model: files by their paths in it. The path of a folder ends with `/`. */
export const archive = (files: Readonly<Record<string, ArchiveMember>>): string => `${mark}${JSON.stringify(files)}`;

/** The members of an archive; `undefined`: it is none. */
export const membersIn = (text: string): Readonly<Record<string, ArchiveMember>> | undefined =>
  text.startsWith(mark) ? (JSON.parse(text.slice(mark.length)) as Readonly<Record<string, ArchiveMember>>) : undefined;

/** The text of a member. */
export const memberText = (member: ArchiveMember): string => (typeof member === "string" ? member : member.text);
