/** One file on a virtual disk. */
export interface DiskFile {
  readonly bytes: Uint8Array;
  /** `user:group`. */
  readonly owner: string;
  /** Octal, for example `0640`. */
  readonly permissions: string;
}

/** Bytes of the largest file, and of all together. */
const largestFile = 16 * 2 ** 20;
const largestDisk = 128 * 2 ** 20;

/** The file system of one machine: absolute paths to files. Directories exist as soon as a file lies in them. */
export class Disk {
  readonly #files: Map<string, DiskFile>;
  readonly #hidden: ReadonlySet<string>;
  readonly #directory: string;

  constructor(files = new Map<string, DiskFile>(), hidden: ReadonlySet<string> = new Set(), directory = "/") {
    this.#files = files;
    this.#hidden = hidden;
    this.#directory = directory;
  }

  /** The same file system for somebody who cannot see these files. */
  hiding(paths: readonly string[]): Disk {
    return new Disk(this.#files, new Set(paths.map(normalise)), this.#directory);
  }

  /** The same file system with relative paths that begin in a directory. */
  within(directory: string): Disk {
    return new Disk(this.#files, this.#hidden, directory);
  }

  write(
    path: string,
    content: Uint8Array | string,
    options: { readonly owner?: string; readonly permissions?: string } = {},
  ): void {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    this.#checkRoom(path, bytes.length);
    this.#files.set(this.#at(path), {
      bytes,
      owner: options.owner ?? "root:root",
      permissions: options.permissions ?? "0644",
    });
  }

  append(path: string, content: Uint8Array | string): void {
    const present = this.#files.get(this.#at(path));
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    if (present === undefined) this.write(path, bytes);
    else {
      this.#checkRoom(path, present.bytes.length + bytes.length);
      this.#files.set(this.#at(path), { ...present, bytes: Buffer.concat([present.bytes, bytes]) });
    }
  }

  #checkRoom(path: string, length: number): void {
    const present = this.#files.get(this.#at(path))?.bytes.length ?? 0;
    const more = length - present;
    if (length > largestFile) throw new Error(`${path}: No space left on device`);
    if (more <= 0 || this.#files.size < largestDisk / largestFile) return;
    const used = [...this.#files.values()].reduce((sum, { bytes }) => sum + bytes.length, 0);
    if (used + more > largestDisk) throw new Error(`${path}: No space left on device`);
  }

  stat(path: string): DiskFile | undefined {
    const key = this.#at(path);
    return this.#hidden.has(key) ? undefined : this.#files.get(key);
  }

  text(path: string): string | undefined {
    const file = this.stat(path);
    return file === undefined ? undefined : new TextDecoder().decode(file.bytes);
  }

  isDirectory(path: string): boolean {
    const prefix = `${this.#at(path).replace(/\/$/, "")}/`;
    return [...this.#files.keys()].some((file) => file.startsWith(prefix));
  }

  remove(path: string): boolean {
    return this.#files.delete(this.#at(path));
  }

  paths(): readonly string[] {
    return [...this.#files.keys()].toSorted();
  }

  #at(path: string): string {
    return normalise(path.startsWith("/") ? path : `${this.#directory}/${path}`);
  }

  /** For saving: file contents are base64. */
  toJSON(): Readonly<
    Record<string, { readonly content: string; readonly owner: string; readonly permissions: string }>
  > {
    return Object.fromEntries(
      [...this.#files].map(([path, file]) => [
        path,
        { content: Buffer.from(file.bytes).toString("base64"), owner: file.owner, permissions: file.permissions },
      ]),
    );
  }

  static fromJSON(saved: ReturnType<Disk["toJSON"]>): Disk {
    const disk = new Disk();
    for (const [path, file] of Object.entries(saved)) {
      disk.write(path, new Uint8Array(Buffer.from(file.content, "base64")), file);
    }
    return disk;
  }
}

const normalise = (path: string): string => {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") parts.pop();
    else parts.push(part);
  }
  return `/${parts.join("/")}`;
};
