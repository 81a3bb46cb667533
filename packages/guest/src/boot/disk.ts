import { bytesOfText, textOfBytes } from "./text-bytes.ts";

/** One file on a virtual disk. */
export interface DiskFile {
  readonly bytes: Uint8Array;
  /** `user:group`. */
  readonly owner: string;
  /** Octal, for example `0640`. */
  readonly permissions: string;
}

/** Owner and mode of a folder. */
export type DiskFolder = Pick<DiskFile, "owner" | "permissions">;

/** Owner and mode of a folder unless a program has changed them. */
const usualFolder: DiskFolder = { owner: "root:root", permissions: "0755" };

/** Links that lead to one another. */
const mostLinks = 40;

/** Bytes of the largest file, and of all together. */
const largestFile = 16 * 2 ** 20;
const largestDisk = 128 * 2 ** 20;

/** Initial contents of a disk: those of an image, shared by its machines. */
export interface DiskBase {
  readonly files: ReadonlyMap<string, DiskFile>;
  readonly folders: ReadonlySet<string>;
  /** Where symbolic links lead. Default: there are none. */
  readonly links?: ReadonlyMap<string, string>;
}

/** Files below `/proc`, which are no files of a disk. */
export interface KernelFiles {
  /** `undefined`: there is no such file. */
  read(path: string): string | undefined;
  write(path: string, text: string): void;
}

/** State shared by all views of one disk. */
interface Contents {
  base: DiskBase;
  readonly files: Map<string, DiskFile>;
  /** Made without a file in them, or changed. */
  readonly folders: Map<string, DiskFolder>;
  /** Where symbolic links lead. */
  readonly links: Map<string, string>;
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
  folders: new Map(),
  links: new Map(),
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
    this.#contents.removed.delete(key);
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
    const bytes = typeof content === "string" ? bytesOfText(content) : content;
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
    const bytes = typeof content === "string" ? bytesOfText(content) : content;
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

  /** A file, also by a link that leads to it. */
  stat(path: string): DiskFile | undefined {
    const key = this.#at(path);
    return this.#hidden.has(key) ? undefined : this.#file(key);
  }

  text(path: string): string | undefined {
    const file = this.stat(path);
    return file === undefined ? undefined : textOfBytes(file.bytes);
  }

  isDirectory(path: string): boolean {
    return this.#isFolder(this.#at(path));
  }

  #isFolder(key: string): boolean {
    const { base, files, folders, links } = this.#contents;
    if (folders.has(key) || base.folders.has(key)) return true;
    const prefix = `${key.replace(/\/$/, "")}/`;
    return [...files.keys(), ...links.keys()].some((file) => file.startsWith(prefix));
  }

  /** Owner and mode of a folder; `undefined`: there is none. */
  folder(path: string): DiskFolder | undefined {
    const key = this.#at(path);
    return this.#isFolder(key) ? (this.#contents.folders.get(key) ?? usualFolder) : undefined;
  }

  /** Where a symbolic link leads, as it says; `undefined`: there is none of that path. */
  link(path: string): string | undefined {
    const key = this.#at(path, false);
    const { base, links, removed } = this.#contents;
    return links.get(key) ?? (removed.has(key) ? undefined : base.links?.get(key));
  }

  /** Makes a symbolic link in the place of what has the path. */
  makeLink(path: string, target: string): void {
    const key = this.#at(path, false);
    this.remove(key);
    this.#contents.links.set(key, target);
    for (const watcher of this.#contents.watchers) watcher(key);
  }

  /** An absolute path without links in it. */
  resolve(path: string): string {
    return this.#at(path);
  }

  /** Makes a folder, and those that it is in. */
  makeDirectory(path: string, folder: Partial<DiskFolder> = {}): void {
    const key = this.#at(path);
    const parts = key.split("/");
    for (let count = 2; count <= parts.length; count += 1) {
      const each = parts.slice(0, count).join("/");
      const { base, folders } = this.#contents;
      if (!base.folders.has(each) && !folders.has(each)) folders.set(each, usualFolder);
    }
    const before = this.#contents.folders.get(key) ?? usualFolder;
    const next = { ...before, ...folder };
    if (next.owner !== before.owner || next.permissions !== before.permissions) this.#contents.folders.set(key, next);
  }

  /** Removes a file or a link, not what it leads to. */
  remove(path: string): boolean {
    const key = this.#at(path, false);
    const { base, files, links, removed } = this.#contents;
    const isOfBase = (base.files.has(key) || base.links?.has(key) === true) && !removed.has(key);
    if (isOfBase) removed.add(key);
    const isLink = links.delete(key);
    const isGone = files.delete(key) || isLink || isOfBase;
    if (isGone) for (const watcher of this.#contents.watchers) watcher(key);
    return isGone;
  }

  /** Removes a folder with all that is in it. */
  removeDirectory(path: string): void {
    const key = this.#at(path, false);
    for (const file of this.paths()) if (file.startsWith(`${key}/`)) this.remove(file);
    for (const folder of this.#contents.folders.keys()) {
      if (folder === key || folder.startsWith(`${key}/`)) this.#contents.folders.delete(folder);
    }
  }

  /** Paths of files and links. */
  paths(): readonly string[] {
    const { base, files, links, removed } = this.#contents;
    const own = [...files.keys(), ...links.keys()];
    if (base.files.size === 0) return own.toSorted();
    return [...new Set([...own, ...[...base.files.keys()].filter((path) => !removed.has(path))])].toSorted();
  }

  /** Paths of folders. */
  folders(): readonly string[] {
    const { base, folders } = this.#contents;
    const above = this.paths().flatMap((path) => {
      const parts = path.split("/");
      return parts.slice(1, -1).map((_, index) => parts.slice(0, index + 2).join("/"));
    });
    return [...new Set([...base.folders, ...folders.keys(), ...above])].toSorted();
  }

  /** Where a path leads. `follows`: also by a link that it ends with. */
  #at(path: string, follows = true): string {
    let key = normalise(path.startsWith("/") ? path : `${this.#directory}/${path}`);
    const { base, links, removed } = this.#contents;
    if (links.size === 0 && base.links === undefined) return key;
    for (let hops = 0; hops < mostLinks; hops += 1) {
      const parts = key.split("/");
      const at = parts.findIndex((_, index) => {
        const each = parts.slice(0, index + 1).join("/");
        return (
          (follows || index < parts.length - 1) &&
          (links.has(each) || (base.links?.has(each) === true && !removed.has(each)))
        );
      });
      if (at < 0) return key;
      const each = parts.slice(0, at + 1).join("/");
      const target = links.get(each) ?? base.links?.get(each) ?? "";
      const from = target.startsWith("/") ? target : `${parts.slice(0, at).join("/")}/${target}`;
      key = normalise([from, ...parts.slice(at + 1)].join("/"));
    }
    return key;
  }

  /** For saving: file contents are base64. A folder ends with a slash, and a file of the base that is gone has a hyphen before it. */
  toJSON(): Readonly<
    Record<
      string,
      { readonly content: string; readonly owner: string; readonly permissions: string; readonly link?: string }
    >
  > {
    const { files, folders, links, removed } = this.#contents;
    const mark = { content: "", owner: "", permissions: "" };
    return Object.fromEntries([
      ...[...folders].map(([path, folder]) => [`${path}/`, { content: "", ...folder }] as const),
      ...[...links].map(
        ([path, link]) => [path, { content: "", owner: "root:root", permissions: "0777", link }] as const,
      ),
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
      if (path.endsWith("/")) {
        disk.makeDirectory(path, file.permissions === "" ? {} : { owner: file.owner, permissions: file.permissions });
      } else if (file.link !== undefined) disk.makeLink(path, file.link);
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
