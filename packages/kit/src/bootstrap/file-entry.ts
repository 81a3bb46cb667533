import { gzip } from "../delivery/gzip.ts";
import { looksLikeJinja } from "../userdata/jinja.ts";
import { withoutLineEnds } from "../userdata/without-line-ends.ts";

/** One file to write, as cloud-init takes it. Absent fields are left out of the document. */
export interface FileEntry {
  readonly path: string;
  /** Encoding of the content, as cloud-init names it. Default: plain text. */
  readonly encoding?: string;
  readonly owner?: string;
  readonly permissions?: string;
  readonly append?: boolean;
  /** Written late, when users, disks and mounts are there. */
  readonly defer?: boolean;
  readonly content?: string;
}

/** A text file of root's. */
export const rootFile = (path: string, content: string, permissions = "0640"): FileEntry => ({
  path,
  owner: "root:root",
  permissions,
  content,
});

/** Returns whether a text is base64, with line ends wherever they are. */
export const isBase64 = (text: string): boolean => /^[A-Za-z0-9+/\s]*(?:=\s*){0,2}$/.test(text);

/** The file with `content` in an encoding, byte for byte: nothing on the way can take it for a template, or change its line ends. */
export const encodedFile = (
  file: Omit<FileEntry, "content" | "encoding">,
  content: string | Uint8Array,
  encoding: "base64" | "gzip+base64",
): FileEntry => {
  const bytes = Buffer.from(content);
  const packed = encoding === "base64" ? bytes : Buffer.from(gzip(bytes));
  return { ...file, encoding, content: packed.toString("base64") };
};

/** The file with exactly these bytes: as text where that keeps them, else in base64. */
export const exactFile = (file: Omit<FileEntry, "content" | "encoding">, content: string | Uint8Array): FileEntry => {
  const bytes = Buffer.from(content);
  const plain: FileEntry = { ...file, content: bytes.toString("utf8") };
  const isKept =
    Buffer.from(withFinalNewline(plain).content ?? "").equals(bytes) && !looksLikeJinja(plain.content ?? "");
  return isKept ? plain : encodedFile(file, bytes, "base64");
};

/**
 * Texts end in exactly one newline and have no carriage returns, as with upstream's providers; an empty one stays empty.
 */
export const withFinalNewline = (file: FileEntry): FileEntry => {
  if (file.content === undefined) return file;
  const text = withoutLineEnds(file.content.replaceAll("\r\n", "\n"));
  return text === "" ? file : { ...file, content: `${text}\n` };
};
