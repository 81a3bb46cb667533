import { randomBytes } from "node:crypto";
import { link, readFile, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { storeError } from "./errors.ts";
import { writeSynced } from "./write-synced.ts";

const doing = "read the signing key of the object store";
const keyText = /^[0-9a-f]{64}\n$/;

const read = async (path: string): Promise<Uint8Array> => {
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0) {
    throw storeError(
      "invalidConfig",
      doing,
      `other users can read ${path}; set its mode to 0600, or delete it to create a new key`,
    );
  }
  const text = await readFile(path, "utf8");
  if (keyText.test(text)) return Buffer.from(text.trim(), "hex");
  throw storeError(
    "invalidConfig",
    doing,
    `${path} contains no key; delete it to create a new one, which invalidates all URLs`,
  );
};

/** The key of a folder, made when it is first asked for, so that URLs stay valid over restarts. */
export const signingKeyOf = async (folder: string): Promise<Uint8Array> => {
  const path = join(folder, "signing-key");
  try {
    return await read(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const temporary = await writeSynced(folder, [Buffer.from(`${randomBytes(32).toString("hex")}\n`)]);
  try {
    // Who comes second takes the key of the first.
    await link(temporary, path).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    });
  } finally {
    await unlink(temporary);
  }
  return read(path);
};
