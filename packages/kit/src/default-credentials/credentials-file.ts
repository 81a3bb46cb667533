import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import { CapstanError } from "@capstan/contract";
import type { DefaultCredentialsV1 } from "@capstan/contract/v1";

const largestBytes = 65_536;

const isBelow = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith("../") && !isAbsolute(way);
};

/** The first bytes of a regular file; nothing else is waited for, as a pipe would be. `undefined`: it is none, or too large. */
const regularFile = async (path: string): Promise<Buffer | undefined> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const facts = await file.stat();
    if (!facts.isFile() || facts.size > largestBytes) return undefined;
    const buffer = Buffer.alloc(largestBytes + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length);
      length += bytesRead;
      if (bytesRead === 0) return buffer.subarray(0, length);
      if (length === buffer.length) return undefined;
    }
  } finally {
    await file.close();
  }
};

const read = async (folder: string | undefined, path: string): Promise<Buffer | undefined> => {
  if (folder === undefined) return undefined;
  const named = resolve(folder, path);
  if (path.includes("\0") || !isBelow(resolve(folder), named)) return undefined;
  try {
    const [home, real] = await Promise.all([realpath(folder), realpath(named)]);
    return isBelow(home, real) ? await regularFile(real) : undefined;
  } catch {
    // Why not is not told: it would say which files there are.
    return undefined;
  }
};

/**
 * The contents of a file that an object names: a regular file of at most 64 KiB below the folder that the administrator names, also after
 * links. Relative paths begin there. `field`: by which the object names it. Throws `default_credentials.file_refused` for every other file, with
 * the same words whether it exists or not.
 */
export const readCredentialsFile = async (
  { folder }: DefaultCredentialsV1 = {},
  path: string,
  field: string,
): Promise<Buffer> => {
  const contents = await read(folder, path);
  if (contents !== undefined) return contents;
  throw new CapstanError({
    code: "default_credentials.file_refused",
    reason: "CredentialsFileRefused",
    message: `${field}: file not allowed; use a regular file of at most 64 KiB in the folder set by the manager's --credentials-folder`,
    retry: { kind: "after", ms: 60_000 },
  });
};
