import { type JsonObject, own } from "@capstan/schema";
import { withFinalNewline, type FileEntry } from "../bootstrap/file-entry.ts";
import { bytesUrl, textUrl } from "./data-url.ts";

/** Meaning of cloud-init's encoding names: base64 on the outside, gzip inside it. */
const encodings: Readonly<Record<string, { readonly base64: boolean; readonly gzip: boolean }>> = {
  b64: { base64: true, gzip: false },
  base64: { base64: true, gzip: false },
  gz: { base64: false, gzip: true },
  gzip: { base64: false, gzip: true },
  "gz+b64": { base64: true, gzip: true },
  "gz+base64": { base64: true, gzip: true },
  "gzip+b64": { base64: true, gzip: true },
  "gzip+base64": { base64: true, gzip: true },
};

/** The contents of a file in Ignition's words: a URL that holds them, packed where they came packed. */
export const fileContents = (file: FileEntry): JsonObject => {
  const encoding = own(encodings, file.encoding ?? "");
  if (encoding === undefined) return { source: textUrl(withFinalNewline(file).content ?? "") };
  const bytes = Buffer.from(file.content ?? "", encoding.base64 ? "base64" : "latin1");
  return { source: bytesUrl(bytes), ...(encoding.gzip && { compression: "gzip" }) };
};

const named = (name: string | undefined): JsonObject | undefined => {
  if (name === undefined || name === "") return undefined;
  return /^\d+$/.test(name) ? { id: Number(name) } : { name };
};

/** User and group of `owner`, as `user:group`. */
export const fileOwner = ({ owner = "" }: FileEntry): JsonObject => {
  const [user, group] = owner.split(":").map(named);
  return { ...(user !== undefined && { user }), ...(group !== undefined && { group }) };
};

/** The permissions as a number; cloud-init's where none are given. */
export const fileMode = ({ permissions = "" }: FileEntry): number =>
  /^[0-7]{3,4}$/.test(permissions) ? Number.parseInt(permissions, 8) : 0o644;
