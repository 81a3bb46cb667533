import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { checkPatch, patchedBinary } from "./patched-binary.ts";

export interface BootFolderParts {
  readonly path: string;
  /** Put in place of the placeholder in the script that binaries carry; empty: they are served as they are. */
  readonly patch: string;
}

/** The files that machines boot from, in a folder that the operator of the services fills. */
export interface BootFolder {
  /** Returns a binary of iPXE by its name, patched; `undefined`: it is not there, or its name is none of a binary's. */
  readonly binary: (name: string) => Promise<Uint8Array | undefined>;
  /** Returns firmware of a Raspberry Pi by its path below the folder; `undefined`: it is not there, or outside. */
  readonly firmware: (path: string) => Promise<Uint8Array | undefined>;
}

/** The files that firmware and iPXE load; other files of the folder are not served as binaries. */
const binaryName = /^[\w-][\w.-]*\.(?:kpxe|kkpxe|kkkpxe|pxe|efi|iso|img|lkrn|0)$/;
/** Names of Tinkerbell, and what Debian calls the same. */
const otherNames: Readonly<Record<string, string>> = { "snp-x86_64.efi": "snponly.efi" };
const segment = /^[\w-][\w.+-]*$/;

/** No file that boots a machine is larger. */
const largestFile = 256 * 1024 ** 2;
/** Contents that are held, so that machines that boot together do not each hold their own. */
const mostHeld = 256 * 1024 ** 2;

interface Held {
  readonly stamp: string;
  readonly content: Uint8Array;
}

const isMissing = (error: unknown): boolean =>
  ["ENOENT", "ENOTDIR", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? "");

/** Reads a folder's files, each once for as long as it stays the same. Throws `tink.options_invalid` for a patch that is too long. */
export const bootFolder = ({ patch, path: root }: BootFolderParts): BootFolder => {
  checkPatch(patch);
  const held = new Map<string, Held>();
  const hold = (path: string, one: Held): Uint8Array => {
    held.delete(path);
    held.set(path, one);
    let size = 0;
    for (const { content } of held.values()) size += content.length;
    for (const [oldest, { content }] of held) {
      if (size <= mostHeld) break;
      held.delete(oldest);
      size -= content.length;
    }
    return one.content;
  };
  const contentOf = async (path: string, change: (content: Buffer) => Uint8Array): Promise<Uint8Array | undefined> => {
    let file: FileHandle | undefined;
    try {
      const [real, folder] = await Promise.all([realpath(path), realpath(root)]);
      if (!real.startsWith(`${folder}${sep}`)) return undefined;
      const info = await stat(real);
      if (!info.isFile() || info.size > largestFile) return undefined;
      const stamp = `${info.size} ${info.mtimeMs} ${info.ino}`;
      const known = held.get(real);
      if (known?.stamp === stamp) return hold(real, known);
      file = await open(real);
      return hold(real, { stamp, content: change(await file.readFile()) });
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    } finally {
      await file?.close();
    }
  };
  const binary = async (name: string): Promise<Uint8Array | undefined> => {
    if (!binaryName.test(name)) return undefined;
    const found = await contentOf(join(root, name), (content) => patchedBinary(content, patch));
    const other = otherNames[name];
    return found === undefined && other !== undefined ? binary(other) : found;
  };
  return {
    binary,
    firmware: async (path) => {
      const segments = path.split("/").filter((each) => each !== "" && each !== ".");
      if (segments.length === 0 || !segments.every((each) => segment.test(each))) return undefined;
      return contentOf(join(root, ...segments), (content) => content);
    },
  };
};
