import { posix } from "node:path";
import type { HostFiles } from "../agent/host-system.ts";
import { readTar, type TarEntry } from "./read-tar.ts";

export interface UnpackLimits {
  /** Of all files together, and of all headers that are no entries themselves. */
  readonly bytes: number;
  readonly entries: number;
}

/** Why an archive is not unpacked. */
export class UnpackError extends Error {}

const partsOf = (path: string): readonly string[] => path.split("/").filter((part) => part !== "" && part !== ".");

/** The path of an entry within the folder. Throws `UnpackError` when it is not in it. */
const insideOf = (path: string): string => {
  if (path.startsWith("/")) throw new UnpackError(`${path} is an absolute path`);
  const parts = partsOf(path);
  if (parts.includes("..") || path.includes("\0")) throw new UnpackError(`${path} leads out of its folder`);
  return parts.join("/");
};

/** Where a symbolic link leads, as it stands in the archive. Only its beginning may go up, and never out of the folder. */
const checkTarget = (path: string, target: string): void => {
  const parts = partsOf(target);
  const up = parts.findIndex((part) => part !== "..");
  const ups = up < 0 ? parts.length : up;
  const depth = partsOf(posix.dirname(path)).length;
  if (target.startsWith("/") || target.includes("\0") || ups > depth || parts.slice(ups).includes("..")) {
    throw new UnpackError(`the link ${path} leads out of its folder`);
  }
};

/** What was unpacked so far. */
class Progress {
  readonly #limits: UnpackLimits;
  readonly #links = new Set<string>();
  #bytes = 0;
  #entries = 0;
  #headerBytes = 0;

  constructor(limits: UnpackLimits) {
    this.#limits = limits;
  }

  /** The path of the next entry. Throws `UnpackError`. */
  admit({ path, size, type }: TarEntry): string {
    this.#entries += 1;
    if (this.#entries > this.#limits.entries) throw new UnpackError(`it has more than ${this.#limits.entries} entries`);
    this.count(type === "file" ? size : 0);
    if (type === "device") throw new UnpackError(`${path} is a device`);
    // Programs that make images write an entry for the root folder.
    if (type === "directory" && /^\/+$/.test(path)) return "";
    const inside = insideOf(path);
    this.checkNotBehindLink(inside);
    return inside;
  }

  /** Bytes of a file that is about to be written; those of a hard link too, which becomes a copy. */
  count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#limits.bytes) throw new UnpackError(`it unpacks to more than ${this.#limits.bytes} bytes`);
  }

  /** Bytes of a header that is no entry. An archive may hold nothing else, without end. */
  header(bytes: number): void {
    this.#headerBytes += bytes;
    const { bytes: most } = this.#limits;
    if (this.#headerBytes > most) throw new UnpackError(`its extended headers have more than ${most} bytes`);
  }

  checkNotBehindLink(path: string): void {
    const parts = path.split("/");
    const behind = parts.findIndex((_, index) => this.#links.has(parts.slice(0, index + 1).join("/")));
    if (behind >= 0) throw new UnpackError(`${path} is behind a link`);
  }

  linked(path: string): void {
    this.#links.add(path);
  }
}

/** Write and execute bits of the group and of others, set-user-ID and the like are not taken over. */
const modeOf = (mode: number): number => mode & 0o755;

const unpackEntry = async (entry: TarEntry, progress: Progress, place: Unpacking): Promise<void> => {
  const path = progress.admit(entry);
  if (path === "") return;
  const { files, folder } = place;
  const whole = `${folder}/${path}`;
  if (entry.type === "directory") return files.makeFolder(whole);
  if (entry.type === "file") return files.write(whole, entry.content, { mode: modeOf(entry.mode) });
  if (entry.type === "symbolic link") {
    checkTarget(path, entry.target);
    await files.link(whole, entry.target);
    progress.linked(path);
    return;
  }
  const original = insideOf(entry.target);
  progress.checkNotBehindLink(original);
  const bytes = await files.read(`${folder}/${original}`);
  if (bytes === undefined) throw new UnpackError(`${path} is a link to ${original}, which is not there`);
  progress.count(bytes.length);
  await files.write(whole, bytes, { mode: modeOf(entry.mode) });
};

interface Unpacking {
  readonly files: HostFiles;
  readonly folder: string;
}

/** Unpacks a tar archive into a folder, and nothing beside it. Throws `UnpackError`, `TarError`. */
export const unpackTar = async (
  source: AsyncIterable<Uint8Array>,
  { limits, ...place }: Unpacking & { readonly limits: UnpackLimits },
): Promise<void> => {
  const progress = new Progress(limits);
  await place.files.makeFolder(place.folder);
  const entries = readTar(source, (bytes) => progress.header(bytes));
  for await (const entry of entries) await unpackEntry(entry, progress, place);
};
