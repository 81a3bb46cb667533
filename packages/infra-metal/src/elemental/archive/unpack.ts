import { posix } from "node:path";
import type { HostFiles } from "../agent/host-system.ts";
import { readTar, type TarEntry } from "./read-tar.ts";

export interface UnpackLimits {
  /** Maximum bytes of all files together, and separately of all headers that are not entries themselves. */
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

/** One name for all spellings that a file system may take for the same. */
const folded = (path: string): string => path.normalize("NFKD").toLowerCase();

const foldersAbove = (path: string): readonly string[] => {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
};

/** Checks the entries of an archive, one after the other, against those before them. */
class Admission {
  readonly #limits: UnpackLimits;
  readonly #types = new Map<string, TarEntry["type"]>();
  readonly #sizes = new Map<string, number>();
  readonly #links = new Set<string>();
  #bytes = 0;
  #entries = 0;
  #headerBytes = 0;

  constructor(limits: UnpackLimits) {
    this.#limits = limits;
  }

  /** Returns the path of the next entry, which is empty for the folder itself. Throws `UnpackError`. */
  admit({ path, size, target, type }: TarEntry): string {
    this.#entries += 1;
    if (this.#entries > this.#limits.entries) throw new UnpackError(`it has more than ${this.#limits.entries} entries`);
    if (type === "device") throw new UnpackError(`${path} is a device`);
    if (path.includes("\uFFFD")) throw new UnpackError(`the name ${path} is not UTF-8`);
    this.#count(size);
    // Programs that make images write an entry for the root folder.
    if (type === "directory" && /^\/+$/.test(path)) return "";
    const inside = insideOf(path);
    if (inside === "") return this.#root(path, type);
    this.#checkPlace(inside, type);
    if (type === "symbolic link") this.#admitLink(inside, target);
    if (type === "hard link") this.#admitHardLink(inside, insideOf(target));
    if (type === "file") this.#sizes.set(inside, size);
    this.#types.set(inside, type);
    return inside;
  }

  /** Bytes of a header that is not an entry. An archive may hold nothing else, without end. */
  header(bytes: number): void {
    this.#headerBytes += bytes;
    const { bytes: most } = this.#limits;
    if (this.#headerBytes > most) throw new UnpackError(`its extended headers have more than ${most} bytes`);
  }

  #root(path: string, type: TarEntry["type"]): string {
    if (type !== "directory") throw new UnpackError(`${path} is the folder of the archive, and a ${type}`);
    return "";
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#limits.bytes) throw new UnpackError(`it unpacks to more than ${this.#limits.bytes} bytes`);
  }

  #checkPlace(path: string, type: TarEntry["type"]): void {
    const known = this.#types.get(path);
    if (known !== undefined && (known !== "directory" || type !== "directory")) {
      throw new UnpackError(`${path} is in it twice`);
    }
    for (const folder of foldersAbove(path)) {
      if (this.#links.has(folded(folder))) throw new UnpackError(`${path} is behind a link`);
      if ((this.#types.get(folder) ?? "directory") !== "directory") {
        throw new UnpackError(`${path} is in ${folder}, which is not a folder`);
      }
      this.#types.set(folder, "directory");
    }
  }

  #admitLink(path: string, target: string): void {
    checkTarget(path, target);
    this.#links.add(folded(path));
  }

  /** A hard link becomes a copy, which counts. */
  #admitHardLink(path: string, original: string): void {
    const size = this.#sizes.get(original);
    if (size === undefined) throw new UnpackError(`${path} is a link to ${original}, which is not there`);
    this.#count(size);
    this.#sizes.set(path, size);
  }
}

/** Write and execute bits of the group and of others, set-user-ID and the like are not taken over. */
const modeOf = (mode: number): number => mode & 0o755;

const unpackEntry = async (entry: TarEntry, path: string, { files, folder }: Unpacking): Promise<void> => {
  const whole = `${folder}/${path}`;
  if (entry.type === "directory") return files.makeFolder(whole);
  if (entry.type === "file") return files.write(whole, entry.content, { mode: modeOf(entry.mode) });
  if (entry.type === "symbolic link") return files.link(whole, entry.target);
  const bytes = await files.read(`${folder}/${insideOf(entry.target)}`);
  await files.write(whole, bytes ?? "", { mode: modeOf(entry.mode) });
};

interface Unpacking {
  readonly files: HostFiles;
  readonly folder: string;
}

/** Reads an archive to its end, and unpacks nothing. Throws `UnpackError`, `TarError`. */
export const checkTar = async (source: AsyncIterable<Uint8Array>, limits: UnpackLimits): Promise<void> => {
  const admission = new Admission(limits);
  for await (const entry of readTar(source, (bytes) => admission.header(bytes))) admission.admit(entry);
};

/**
 * Unpacks a tar archive into a folder, and nothing beside it. The archive is read twice, each time from what `open` returns: first
 * all of it is checked, so that nothing is written of one that is refused. Throws `UnpackError`, `TarError`.
 */
export const unpackTar = async (
  open: () => AsyncIterable<Uint8Array>,
  { limits, ...place }: Unpacking & { readonly limits: UnpackLimits },
): Promise<void> => {
  await checkTar(open(), limits);
  const admission = new Admission(limits);
  await place.files.makeFolder(place.folder);
  for await (const entry of readTar(open(), (bytes) => admission.header(bytes))) {
    const path = admission.admit(entry);
    if (path !== "") await unpackEntry(entry, path, place);
  }
};
