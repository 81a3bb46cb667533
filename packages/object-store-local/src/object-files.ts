import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { chmod, link, mkdir, open, readdir, rename, stat, unlink } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { orMissing, removeAbandoned, syncFolder, writeSynced } from "./write-synced.ts";

/** First line of a file: the description of the object that follows it. */
interface Description {
  readonly key: string;
  readonly etag: string;
  readonly contentType: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** An object that was found. Its file stays what it is while it is open, whatever becomes of the object. */
export interface FoundObject extends Description, AsyncDisposable {
  readonly size: number;
  readonly lastModified: number;
  readonly file: FileHandle;
  /** Where in the file its bytes begin. */
  readonly start: number;
}

export type NewObject = Pick<Description, "contentType" | "key" | "metadata"> & { readonly bytes: Uint8Array };

/** Longer than any description: keys have 1 kB, metadata 2 kB, and no character of them takes more than six. */
const maxDescription = 24_576;
const objectFile = /^[0-9a-f]{64}$/;

const describe = async (file: FileHandle): Promise<{ readonly description: Description; readonly start: number }> => {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(maxDescription), position: 0 });
  const end = buffer.subarray(0, bytesRead).indexOf(0x0a);
  if (end < 0) throw new TypeError("the file has no description");
  return { description: JSON.parse(buffer.toString("utf8", 0, end)) as Description, start: end + 1 };
};

/** The objects of one bucket, each a file that is named after the hash of its key: no key leads out of the folder. */
export class ObjectFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Makes the folder, for its owner alone. */
  async prepare(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await chmod(this.#folder, 0o700);
  }

  /** Removes what writers left behind that were killed. */
  async tidy(now: number): Promise<void> {
    await removeAbandoned(this.#folder, now);
  }

  /** Returns whether the folder is there. */
  async exists(): Promise<boolean> {
    return (await orMissing(stat(this.#folder))) !== undefined;
  }

  /** Complete or not there at all, whatever happens. With `once` an object that is there stays, and EEXIST is thrown. */
  async write(
    { bytes, ...about }: NewObject,
    { once }: { readonly once: boolean },
  ): Promise<{ readonly etag: string }> {
    const etag = `"${createHash("sha256").update(bytes).digest("hex")}"`;
    const path = this.#path(about.key);
    const temporary = await writeSynced(this.#folder, [Buffer.from(`${JSON.stringify({ ...about, etag })}\n`), bytes]);
    try {
      await (once ? link(temporary, path) : rename(temporary, path));
    } finally {
      await orMissing(unlink(temporary));
    }
    await syncFolder(this.#folder);
    return { etag };
  }

  async find(key: string): Promise<FoundObject | undefined> {
    return this.#open(this.#path(key));
  }

  async remove(key: string): Promise<boolean> {
    const removed = await orMissing(unlink(this.#path(key)).then(() => true));
    if (removed === true) await syncFolder(this.#folder);
    return removed === true;
  }

  /** Keys in order. */
  async list(prefix: string): Promise<readonly string[]> {
    const keys: string[] = [];
    for (const name of await readdir(this.#folder)) {
      if (!objectFile.test(name)) continue;
      await using found = await this.#open(join(this.#folder, name));
      if (found?.key.startsWith(prefix) === true) keys.push(found.key);
    }
    return keys.toSorted();
  }

  async #open(path: string): Promise<FoundObject | undefined> {
    const file = await orMissing(open(path, constants.O_RDONLY | constants.O_NOFOLLOW));
    if (file === undefined) return undefined;
    try {
      const { mtimeMs, size } = await file.stat();
      const { description, start } = await describe(file);
      return {
        ...description,
        file,
        start,
        size: size - start,
        lastModified: Math.floor(mtimeMs),
        [Symbol.asyncDispose]: () => file.close(),
      };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  #path(key: string): string {
    return join(this.#folder, createHash("sha256").update(key).digest("hex"));
  }
}
