import { fitsPattern } from "../pattern.ts";
import type { UnixContext, UnixProgram } from "../program.ts";
import { below, nameOf } from "./paths.ts";

interface Place {
  readonly path: string;
  readonly kind: "d" | "f" | "l";
}

type Action = (place: Place) => Promise<boolean>;

/** Reads the expression of find after its paths. */
class Expression {
  readonly #args: readonly string[];
  readonly #context: UnixContext;
  #at = 0;
  hasAction = false;
  status = 0;
  mindepth = 0;
  maxdepth = Infinity;
  /** Paths of `-exec … +`. */
  readonly gathered: { readonly command: readonly string[]; readonly paths: string[] }[] = [];

  constructor(args: readonly string[], context: UnixContext) {
    this.#args = args;
    this.#context = context;
  }

  whole(): Action {
    return this.#at < this.#args.length ? this.#either() : async () => true;
  }

  #either(): Action {
    let left = this.#both();
    while (["-o", "-or"].includes(this.#args[this.#at] ?? "")) {
      this.#at += 1;
      const [one, other] = [left, this.#both()];
      left = async (place) => (await one(place)) || other(place);
    }
    return left;
  }

  #both(): Action {
    let left = this.#one();
    while (this.#at < this.#args.length && !["-o", "-or", ")"].includes(this.#args[this.#at] ?? "")) {
      if (["-a", "-and"].includes(this.#args[this.#at] ?? "")) this.#at += 1;
      const [one, other] = [left, this.#one()];
      left = async (place) => (await one(place)) && other(place);
    }
    return left;
  }

  #one(): Action {
    const word = this.#args[this.#at] ?? "";
    this.#at += 1;
    if (word === "!" || word === "-not") {
      const inner = this.#one();
      return async (place) => !(await inner(place));
    }
    if (word === "(") {
      const inner = this.#either();
      this.#at += 1;
      return inner;
    }
    return this.#test(word);
  }

  #next(): string {
    this.#at += 1;
    return this.#args[this.#at - 1] ?? "";
  }

  #test(word: string): Action {
    const { disk, write } = this.#context;
    switch (word) {
      case "-name":
      case "-iname": {
        const pattern = this.#next();
        const fold = (text: string): string => (word === "-iname" ? text.toLowerCase() : text);
        return async ({ path }) => fitsPattern(fold(pattern), fold(nameOf(path)));
      }
      case "-path":
      case "-wholename": {
        const pattern = this.#next();
        return async ({ path }) => fitsPattern(pattern, path);
      }
      case "-type": {
        const kind = this.#next();
        return async (place) => kind.split(",").includes(place.kind);
      }
      case "-maxdepth":
        this.maxdepth = Number(this.#next());
        return async () => true;
      case "-mindepth":
        this.mindepth = Number(this.#next());
        return async () => true;
      case "-empty":
        return async ({ path }) => disk.stat(path)?.bytes.length === 0;
      case "-newer":
      case "-mtime":
      case "-mmin":
      case "-perm":
      case "-user":
        this.#next();
        return async () => true;
      case "-print":
      case "-print0":
        this.hasAction = true;
        return async ({ path }) => (write(`${path}${word === "-print" ? "\n" : "\0"}`), true);
      case "-delete":
        this.hasAction = true;
        return async ({ kind, path }) => {
          if (kind === "d") disk.removeDirectory(path);
          else disk.remove(path);
          return true;
        };
      case "-exec":
        return this.#exec();
      default:
        if (/^-(?:xdev|mount|follow|depth|prune|quit|true)$/.test(word)) return async () => true;
        throw new Error(`unknown predicate \`${word}'`);
    }
  }

  #exec(): Action {
    this.hasAction = true;
    const command: string[] = [];
    for (;;) {
      const word = this.#next();
      if (word === ";") break;
      if (word === "+" && command.at(-1) === "{}") {
        const paths: string[] = [];
        this.gathered.push({ command: command.slice(0, -1), paths });
        return async ({ path }) => (paths.push(path), true);
      }
      if (this.#at > this.#args.length) throw new Error("missing argument to `-exec'");
      command.push(word);
    }
    return async ({ path }) => (await this.#context.run(command.map((word) => word.replaceAll("{}", path)))) === 0;
  }
}

/** `find`, by names, kinds and depth. */
export const find: UnixProgram = async (context) => {
  const { args, disk, fail, run, write } = context;
  const begin = args.findIndex((word) => /^[-!(]/.test(word));
  const roots = begin < 0 ? args : args.slice(0, begin);
  const expression = new Expression(begin < 0 ? [] : args.slice(begin), context);
  const newer = args[args.indexOf("-newer") + 1] ?? "";
  if (args.includes("-newer") && disk.stat(newer) === undefined) return fail(`‘${newer}’: No such file or directory`);
  const test = expression.whole();
  let status = 0;
  for (const root of roots.length === 0 ? ["."] : roots) {
    if (disk.stat(root) === undefined && !disk.isDirectory(root) && disk.link(root) === undefined) {
      status = fail(`‘${root}’: No such file or directory`);
      continue;
    }
    const full = disk.resolve(root) === "/" ? "" : disk.resolve(root);
    for (const each of ["", ...below(disk, root).map((path) => path.slice(full.length))]) {
      const depth = each.split("/").length - 1;
      const path = `${root.replace(/(?<=.)\/$/, "")}${each}`;
      const kind = disk.link(path) !== undefined ? "l" : disk.stat(path) === undefined ? "d" : "f";
      if (depth < expression.mindepth || depth > expression.maxdepth) continue;
      if ((await test({ path, kind })) && !expression.hasAction) write(`${path}\n`);
    }
  }
  for (const { command, paths } of expression.gathered) if (paths.length > 0) await run([...command, ...paths]);
  return status;
};
