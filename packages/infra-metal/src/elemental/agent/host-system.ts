/** Result of a program. */
export interface ProgramResult {
  /** Exit status; `undefined`: it was killed because its time was over. */
  readonly status: number | undefined;
  /** The end of what it wrote, standard output and errors together. */
  readonly output: string;
}

export interface ProgramRun {
  readonly program: string;
  readonly args?: readonly string[];
  readonly directory?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly timeoutMs: number;
  /** Maximum bytes of output to keep, from its end. Default 64 KiB. */
  readonly outputBytes?: number;
  readonly signal: AbortSignal;
}

/** The files of a host, by absolute path. */
export interface HostFiles {
  /** `undefined` when there is none. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** The same in parts, for large ones. */
  stream(path: string): AsyncIterable<Uint8Array>;
  /** Bytes of a file; `undefined` when there is none. */
  size(path: string): Promise<number | undefined>;
  /** Writes a whole file, makes its folders; a reader sees the old one or the new one. Default mode 0600. */
  write(path: string, content: AsyncIterable<Uint8Array> | Uint8Array | string, options?: FileOptions): Promise<void>;
  /** Adds to a file, which is made if it is missing. */
  append(path: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  makeFolder(path: string): Promise<void>;
  link(path: string, target: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file, or a folder with everything in it. */
  remove(path: string): Promise<void>;
}

export interface FileOptions {
  readonly mode?: number;
}

/** The computer that an agent runs on. */
export interface HostSystem {
  readonly files: HostFiles;
  /** As OCI images name it: `amd64`, `arm64`. */
  readonly architecture: string;
  /** Runs a program to its end. Throws when it cannot be started. */
  run(run: ProgramRun): Promise<ProgramResult>;
}
