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

/** What a disk has before anything is written on it: that of an image, shared by its machines. */
export interface DiskBase {
  readonly files: ReadonlyMap<string, DiskFile>;
  readonly folders: ReadonlySet<string>;
}

/** Files below `/proc`, which are no files of a disk. */
export interface KernelFiles {
  /** `undefined`: there is no such file. */
  read(path: string): string | undefined;
  write(path: string, text: string): void;
}

/** What is the same for all who look at one disk. */
interface Contents {
  base: DiskBase;
  readonly files: Map<string, DiskFile>;
  /** Made without a file in them. */
  readonly folders: Set<string>;
  /** Files of the base that are gone. */
  readonly removed: Set<string>;
  /** Called with the path of what was written or removed. */
  readonly watchers: Set<(path: string) => void>;
  /** Absent: what is below `/proc` are files as all others. */
  kernel?: KernelFiles;
}

const emptyBase: DiskBase = { files: new Map(), folders: new Set() };

const newContents = (): Contents => ({
  base: emptyBase,
  files: new Map(),
  folders: new Set(),
  removed: new Set(),
  watchers: new Set(),
});

/** The file system of one machine: absolute paths to files. A folder is there once a file lies in it, or it was made. */
export class Disk {
  readonly #contents: Contents;
  readonly #hidden: ReadonlySet<string>;
  readonly #directory: string;

  constructor(contents: Contents = newContents(), hidden: ReadonlySet<string> = new Set(), directory = "/") {
    this.#contents = contents;
    this.#hidden = hidden;
    this.#directory = directory;
  }

  /** Calls when a file below a folder has been written or removed. Returns the function that ends that. */
  watch(folder: string, changed: () => void): () => void {
    const prefix = `${this.#at(folder).replace(/\/$/, "")}/`;
    const watcher = (path: string): void => {
      if (path.startsWith(prefix)) changed();
    };
    this.#contents.watchers.add(watcher);
    return () => this.#contents.watchers.delete(watcher);
  }

  #set(key: string, file: DiskFile): void {
    this.#contents.files.set(key, file);
    for (const watcher of this.#contents.watchers) watcher(key);
  }

  /** Puts what an image has below everything that was written. */
  mount(base: DiskBase): void {
    this.#contents.base = base;
  }

  /** Shows what a kernel says below `/proc`. */
  showKernel(kernel: KernelFiles): void {
    this.#contents.kernel = kernel;
  }

  /** The same file system for someone who cannot see these files. */
  hiding(paths: readonly string[]): Disk {
    return new Disk(this.#contents, new Set(paths.map(normalise)), this.#directory);
  }

  /** The same file system with relative paths that begin in a directory. */
  within(directory: string): Disk {
    return new Disk(this.#contents, this.#hidden, directory);
  }

  write(
    path: string,
    content: Uint8Array | string,
    options: { readonly owner?: string; readonly permissions?: string } = {},
  ): void {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    const key = this.#at(path);
    const { kernel } = this.#contents;
    if (kernel !== undefined && key.startsWith("/proc/")) return kernel.write(key, new TextDecoder().decode(bytes));
    this.#checkRoom(path, bytes.length);
    this.#set(key, {
      bytes,
      owner: options.owner ?? "root:root",
      permissions: options.permissions ?? "0644",
    });
  }

  append(path: string, content: Uint8Array | string): void {
    const kernel = this.#contents.kernel !== undefined && this.#at(path).startsWith("/proc/");
    const present = kernel ? undefined : this.#file(this.#at(path));
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    if (present === undefined) this.write(path, bytes);
    else {
      this.#checkRoom(path, present.bytes.length + bytes.length);
      this.#set(this.#at(path), { ...present, bytes: Buffer.concat([present.bytes, bytes]) });
    }
  }

  #checkRoom(path: string, length: number): void {
    const { files } = this.#contents;
    const present = files.get(this.#at(path))?.bytes.length ?? 0;
    const more = length - present;
    if (length > largestFile) throw new Error(`${path}: No space left on device`);
    if (more <= 0 || files.size < largestDisk / largestFile) return;
    const used = [...files.values()].reduce((sum, { bytes }) => sum + bytes.length, 0);
    if (used + more > largestDisk) throw new Error(`${path}: No space left on device`);
  }

  #file(key: string): DiskFile | undefined {
    const { base, files, kernel, removed } = this.#contents;
    if (kernel !== undefined && key.startsWith("/proc/")) {
      const text = kernel.read(key);
      return text === undefined
        ? undefined
        : { bytes: new TextEncoder().encode(text), owner: "root:root", permissions: "0644" };
    }
    return files.get(key) ?? (removed.has(key) ? undefined : base.files.get(key));
  }

  stat(path: string): DiskFile | undefined {
    const key = this.#at(path);
    return this.#hidden.has(key) ? undefined : this.#file(key);
  }

  text(path: string): string | undefined {
    const file = this.stat(path);
    return file === undefined ? undefined : new TextDecoder().decode(file.bytes);
  }

  isDirectory(path: string): boolean {
    const key = this.#at(path);
    const { base, files, folders } = this.#contents;
    if (folders.has(key) || base.folders.has(key)) return true;
    const prefix = `${key.replace(/\/$/, "")}/`;
    return [...files.keys()].some((file) => file.startsWith(prefix));
  }

  /** Makes a folder, and those that it is in. */
  makeDirectory(path: string): void {
    const parts = this.#at(path).split("/");
    for (let count = 2; count <= parts.length; count += 1) {
      const folder = parts.slice(0, count).join("/");
      if (!this.#contents.base.folders.has(folder)) this.#contents.folders.add(folder);
    }
  }

  remove(path: string): boolean {
    const key = this.#at(path);
    const { base, files, removed } = this.#contents;
    const isOfBase = base.files.has(key) && !removed.has(key);
    if (isOfBase) removed.add(key);
    const isGone = files.delete(key) || isOfBase;
    if (isGone) for (const watcher of this.#contents.watchers) watcher(key);
    return isGone;
  }

  /** Removes a folder with all that is in it. */
  removeDirectory(path: string): void {
    const key = this.#at(path);
    for (const file of this.paths()) if (file.startsWith(`${key}/`)) this.remove(file);
    for (const folder of this.#contents.folders) {
      if (folder === key || folder.startsWith(`${key}/`)) this.#contents.folders.delete(folder);
    }
  }

  paths(): readonly string[] {
    const { base, files, removed } = this.#contents;
    if (base.files.size === 0) return [...files.keys()].toSorted();
    return [...new Set([...files.keys(), ...[...base.files.keys()].filter((path) => !removed.has(path))])].toSorted();
  }

  #at(path: string): string {
    return normalise(path.startsWith("/") ? path : `${this.#directory}/${path}`);
  }

  /** For saving: file contents are base64. A folder ends with a slash, and a file of the base that is gone has a hyphen before it. */
  toJSON(): Readonly<
    Record<string, { readonly content: string; readonly owner: string; readonly permissions: string }>
  > {
    const { files, folders, removed } = this.#contents;
    const mark = { content: "", owner: "", permissions: "" };
    return Object.fromEntries([
      ...[...folders].map((path) => [`${path}/`, mark] as const),
      ...[...removed].map((path) => [`-${path}`, mark] as const),
      ...[...files].map(
        ([path, file]) =>
          [
            path,
            { content: Buffer.from(file.bytes).toString("base64"), owner: file.owner, permissions: file.permissions },
          ] as const,
      ),
    ]);
  }

  static fromJSON(saved: ReturnType<Disk["toJSON"]>): Disk {
    const disk = new Disk();
    for (const [path, file] of Object.entries(saved)) {
      if (path.endsWith("/")) disk.makeDirectory(path);
      else if (path.startsWith("-")) disk.#contents.removed.add(path.slice(1));
      else disk.write(path, new Uint8Array(Buffer.from(file.content, "base64")), file);
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
