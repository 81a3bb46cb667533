import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const names = (
  "access appendFile createReadStream createWriteStream lstat open opendir readFile readdir " +
  "readlink realpath rename stat truncate unlink writeFile"
).split(" ");

type Table = Record<string, unknown>;

const pathOf = (given: unknown): string | undefined => {
  if (typeof given === "string") return resolve(given);
  if (given instanceof URL) return given.protocol === "file:" ? fileURLToPath(given) : undefined;
  return Buffer.isBuffer(given) ? resolve(given.toString()) : undefined;
};

const repository = join(import.meta.dirname, "../../../..");

/** What programs and their runtime read by themselves: the code, the resolver, certificates, and the process. */
const ordinary: readonly RegExp[] = [
  /^\/etc\/(resolv\.conf|hosts|nsswitch\.conf|ssl\/|pki\/|localtime)/,
  /^\/proc\/(self|\d+|meminfo|stat)/,
  /^\/sys\/fs\/cgroup\//,
  /^\/usr\/(share|lib)\//,
  // Where Azure's library looks for the agent of Azure Arc before it asks for the identity of the machine that it runs on.
  /^\/opt\/azcmagent\/bin\/himds$/,
];

/**
 * Files and folders that this process opens or looks at from now on, beside the repository's and those that `isExpected` knows. Node's own
 * loader of modules is not among what is seen.
 */
export const openedFiles = (
  isExpected: (path: string) => boolean,
): { readonly unexpected: ReadonlySet<string> } & Disposable => {
  const unexpected = new Set<string>();
  const undo: (() => void)[] = [];
  const watch = (table: Table, name: string): void => {
    const original = table[name];
    if (typeof original !== "function") return;
    table[name] = Object.assign(function watched(this: unknown, ...parts: unknown[]): unknown {
      const path = pathOf(parts[0]);
      const isOrdinary = path === undefined || path.startsWith(repository) || ordinary.some((each) => each.test(path));
      if (!isOrdinary && !isExpected(path)) unexpected.add(path);
      return original.apply(this, parts) as unknown;
    }, original);
    undo.push(() => (table[name] = original));
  };
  for (const name of names) {
    for (const each of [name, `${name}Sync`]) watch(fs, each);
    watch(fs.promises, name);
  }
  syncBuiltinESMExports();
  return {
    unexpected,
    [Symbol.dispose]: () => {
      for (const each of undo) each();
      syncBuiltinESMExports();
    },
  };
};

/** Folders of this test and of the command for what is temporary. */
export const isTemporary = (path: string): boolean =>
  path.startsWith(join(tmpdir(), "capstan-")) || path.startsWith(join(homedir(), ".cache/capstan"));
