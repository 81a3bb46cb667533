import { Parser, type ReadEntry } from "tar";
import { checkExtendedHeader } from "./extended-header.ts";
import { TarError } from "./tar-error.ts";

export { TarError };

const block = 512;

/** One entry of a tar archive. */
export interface TarEntry {
  readonly path: string;
  readonly type: "device" | "directory" | "file" | "hard link" | "symbolic link";
  readonly mode: number;
  readonly size: number;
  /** The path that a link points to; empty for other entries. */
  readonly target: string;
  /** The content of a file; it has to be read before the next entry, or is skipped. */
  readonly content: AsyncIterable<Uint8Array>;
}

const types: Readonly<Partial<Record<string, TarEntry["type"]>>> = {
  ContiguousFile: "file",
  Directory: "directory",
  File: "file",
  Link: "hard link",
  OldFile: "file",
  SymbolicLink: "symbolic link",
};

/** The parser would unpack these by itself, and none of its bytes would be counted. */
const isPacked = (head: Buffer): boolean =>
  ["1f8b", "28b52ffd"].some((magic) => head.toString("hex", 0, 4).startsWith(magic));

const failureOf = (error: Error): Error => {
  if (error instanceof TarError) return error;
  if (error.message.includes("Truncated input")) return new TarError("the archive ends too early", { cause: error });
  return new TarError(`the archive cannot be read: ${error.message}`, { cause: error });
};

/** Feeds the parser only when more is asked for: what is held in memory is one piece of the source. */
class Reading {
  readonly ready: ReadEntry[] = [];
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #onHeader: (bytes: number) => void;
  readonly #parser = new Parser({ strict: true });
  #failure: Error | undefined;
  #fed = 0;
  #inEntries = 0;
  #inHeaders = 0;
  isOver = false;

  constructor(source: AsyncIterable<Uint8Array>, onHeader: (bytes: number) => void) {
    this.#source = source[Symbol.asyncIterator]();
    this.#onHeader = onHeader;
    this.#parser.on("entry", (entry) => this.ready.push(entry));
    this.#parser.on("ignoredEntry", (entry) => this.#refuse(entry));
    this.#parser.on("meta", (text) => this.#attempt(() => checkExtendedHeader(text)));
    this.#parser.on("eof", () => (this.isOver = true));
    this.#parser.on("error", (error) => (this.#failure ??= failureOf(error as Error)));
  }

  /** Gives the parser the next piece. Throws `TarError`, and what `onHeader` throws. */
  async feed(): Promise<void> {
    this.#countHeaders();
    const { done, value } = await this.#source.next();
    if (done === true) this.#end();
    else this.#write(Buffer.from(value.buffer, value.byteOffset, value.length));
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Called once for each entry, when it is its turn. Throws `TarError`. */
  begin(entry: ReadEntry): void {
    if (entry.header.size === undefined) throw new TarError("a header has no number where one must be");
    this.#inEntries += block + entry.startBlockSize;
  }

  async stop(): Promise<void> {
    await this.#source.return?.();
  }

  #write(chunk: Buffer): void {
    if (this.#fed === 0 && isPacked(chunk)) throw new TarError("the archive is packed twice");
    this.#fed += chunk.length;
    this.#parser.write(chunk);
  }

  #end(): void {
    this.isOver = true;
    if (this.#fed === 0) return;
    this.#parser.end();
    if (this.#fed % block !== 0) this.#failure ??= new TarError("the archive ends too early");
  }

  #refuse(entry: ReadEntry): void {
    this.#failure ??= new TarError(
      entry.meta ? "an extended header is too large" : `${entry.path} is of a type that is not unpacked`,
    );
  }

  #attempt(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.#failure ??= error as Error;
    }
  }

  /** All that is in no entry is headers of the extended kind: nothing else waits while the parser asks for more. */
  #countHeaders(): void {
    const bytes = this.#fed - this.#inEntries - this.#inHeaders;
    if (bytes <= 0) return;
    this.#inHeaders += bytes;
    this.#onHeader(bytes);
  }
}

async function* contentOf(entry: ReadEntry, reading: Reading): AsyncGenerator<Uint8Array> {
  for (;;) {
    const part = entry.read();
    if (part !== null) yield part;
    else if (entry.emittedEnd) return;
    else await reading.feed();
  }
}

const entryOf = (entry: ReadEntry, content: TarEntry["content"]): TarEntry => ({
  path: entry.path,
  type: types[entry.type] ?? "device",
  mode: entry.mode ?? 0,
  size: entry.size,
  target: entry.linkpath ?? "",
  content,
});

/**
 * Yields the entries of a tar archive in its usual forms: POSIX with extended headers, and GNU. `onHeader` is called with the bytes
 * of headers that are no entries themselves, as they come; it may throw. Throws `TarError`.
 */
export async function* readTar(
  source: AsyncIterable<Uint8Array>,
  onHeader: (bytes: number) => void,
): AsyncGenerator<TarEntry> {
  const reading = new Reading(source, onHeader);
  try {
    for (;;) {
      const entry = reading.ready.shift();
      if (entry === undefined && reading.isOver) return;
      if (entry === undefined) {
        await reading.feed();
        continue;
      }
      reading.begin(entry);
      const content = contentOf(entry, reading);
      yield entryOf(entry, { [Symbol.asyncIterator]: () => content });
      for await (const _ of contentOf(entry, reading)) continue;
    }
  } finally {
    await reading.stop();
  }
}
