import { spawn } from "node:child_process";
import { createReadStream } from "node:fs";
import { appendFile, chmod, mkdir, open, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { dirname } from "node:path";
import type { Clock } from "@capstan/contract";
import { elementalError } from "../errors.ts";
import type { FileOptions, HostFiles, HostSystem, ProgramResult, ProgramRun } from "./host-system.ts";

const isMissing = (error: unknown): boolean => (error as { readonly code?: unknown }).code === "ENOENT";

const ifThere = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

const partsOf = (content: AsyncIterable<Uint8Array> | Uint8Array | string) =>
  typeof content === "string" || content instanceof Uint8Array ? [Buffer.from(content)] : content;

/** The files below a folder that stands for the root of the host; `/` is the host itself. */
const filesOf = (root: string): HostFiles => {
  const at = (path: string): string => (root === "/" ? path : `${root}${path}`);
  const makeFolder = async (path: string): Promise<void> => {
    await mkdir(at(path), { recursive: true, mode: 0o755 });
  };
  const write = async (
    path: string,
    content: Parameters<HostFiles["write"]>[1],
    { mode = 0o600 }: FileOptions = {},
  ): Promise<void> => {
    await makeFolder(dirname(path));
    const fresh = `${at(path)}.new`;
    const file = await open(fresh, "w", mode);
    try {
      for await (const part of partsOf(content)) await file.write(part);
      await file.sync();
    } finally {
      await file.close();
    }
    // What the process masks is wanted here.
    await chmod(fresh, mode);
    await rename(fresh, at(path));
  };
  return {
    read: (path) => ifThere(readFile(at(path))),
    stream: (path) => createReadStream(at(path)),
    size: async (path) => (await ifThere(stat(at(path))))?.size,
    write,
    append: async (path, content) => {
      for await (const part of content) await appendFile(at(path), part);
    },
    makeFolder,
    link: async (path, target) => {
      await makeFolder(dirname(path));
      await rm(at(path), { force: true });
      await symlink(target, at(path));
    },
    rename: (from, to) => rename(at(from), at(to)),
    remove: (path) => rm(at(path), { recursive: true, force: true }),
  };
};

/** The last bytes of an output. */
class Tail {
  readonly #max: number;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(max: number) {
    this.#max = max;
  }

  add(part: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, part]).subarray(-this.#max);
  }

  text(): string {
    return this.#bytes.toString("utf8");
  }
}

const cannotStart = (program: string, cause: Error): Error =>
  elementalError({
    code: "elemental.program_not_started",
    reason: "ProgramNotStarted",
    message: `${program} cannot be started: ${cause.message}`,
    retry: { kind: "backoff" },
    cause,
  });

/** Runs a program in a process group of its own, so that all that it started ends with it. */
const runProgram = (run: ProgramRun & { readonly folder: string }, clock: Clock): Promise<ProgramResult> => {
  const { args = [], environment = {}, folder, outputBytes = 65_536, program, signal, stdin = "", timeoutMs } = run;
  const { promise, reject, resolve } = Promise.withResolvers<ProgramResult>();
  const env = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", ...environment };
  const child = spawn(program, args, { cwd: folder, env, detached: true });
  const tail = new Tail(outputBytes);
  let isLate = false;
  const kill = (): void => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  };
  const cancel = clock.schedule(timeoutMs, () => {
    isLate = true;
    kill();
  });
  signal.addEventListener("abort", kill, { once: true });
  child.stdout.on("data", (part: Buffer) => tail.add(part));
  child.stderr.on("data", (part: Buffer) => tail.add(part));
  // A program that does not read its input is nothing to complain about.
  child.stdin.on("error", () => undefined);
  child.stdin.end(stdin);
  child.once("error", (error) => reject(cannotStart(program, error)));
  child.once("close", (code) => resolve({ status: isLate ? undefined : (code ?? 128), output: tail.text() }));
  return promise.finally(() => {
    cancel();
    signal.removeEventListener("abort", kill);
  });
};

const architectures: Readonly<Partial<Record<NodeJS.Architecture, string>>> = { x64: "amd64", ia32: "386" };

/** This computer. `root`: a folder that stands for its root, for trying things out. */
export const nodeSystem = ({ clock, root = "/" }: { readonly clock: Clock; readonly root?: string }): HostSystem => ({
  files: filesOf(root),
  architecture: architectures[process.arch] ?? process.arch,
  run: (run) => {
    const directory = run.directory ?? "/";
    return runProgram({ ...run, folder: root === "/" ? directory : `${root}${directory}` }, clock);
  },
});
