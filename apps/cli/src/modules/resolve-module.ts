import { existsSync, readFileSync, statSync } from "node:fs";
import { registerHooks } from "node:module";
import { isAbsolute, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { CapstanError } from "@capstan/contract";
import { bundledModules } from "./bundled-modules.ts";
import { ownNames, ownPackage, type ModuleRole } from "./module-role.ts";

/** Where a module is. */
export interface ModulePlace {
  /** A URL, or the name of a module in the command's own bundle. */
  readonly place: string;
  import(): Promise<object>;
}

const atUrl = (url: string): ModulePlace => ({ place: url, import: () => import(url) as Promise<object> });

const failure = (code: string, reason: string, message: string, cause?: unknown): CapstanError =>
  new CapstanError({ code, reason, message, retry: { kind: "never" }, ...(cause === undefined ? {} : { cause }) });

const marker = "capstan-module:";

/** The URL that a name has for modules of a folder, found as Node finds it for an import there. */
const resolveFrom = (folder: string, name: string): string => {
  const parentURL = pathToFileURL(join(folder, "importer.js")).href;
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier.startsWith(marker)
        ? next(specifier.slice(marker.length), { ...context, parentURL })
        : next(specifier, context),
  });
  try {
    return import.meta.resolve(`${marker}${name}`);
  } finally {
    hooks.deregister();
  }
};

/** A module that was not found. */
interface Missing {
  /** The package is there, but the file that it names is not. */
  readonly file?: string;
}

/** Throws `module.entry_missing` when there is a package without this entry. */
const findFrom = (folder: string, name: string, said: string): ModulePlace | Missing => {
  try {
    const url = resolveFrom(folder, name);
    const file = fileURLToPath(url);
    return existsSync(file) ? atUrl(url) : { file };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ERR_MODULE_NOT_FOUND") return {};
    throw failure("module.entry_missing", "EntryMissing", `${said}: ${message}; name an entry that it has`, error);
  }
};

/** Starts with a dot or a slash, or is a URL or the name of a source file. */
const isPath = (name: string): boolean =>
  /^\.{0,2}(?:\/|$)/.test(name) || isAbsolute(name) || name.startsWith("file:") || /\.[cm]?[jt]s$/.test(name);

/** Returns whether a name of the command line means something only in the folder where the command was given. */
export const isRelativePath = (name: string): boolean => isPath(name) && !isAbsolute(name) && !name.startsWith("file:");

const notFound = (message: string): CapstanError => failure("module.not_found", "ModuleNotFound", message);

const packageName = (folder: string, said: string): string => {
  const file = join(folder, "package.json");
  if (!existsSync(file)) {
    throw notFound(`${said}: the folder ${folder} has no package.json; name a file in it, or the folder of a package`);
  }
  const { name } = JSON.parse(readFileSync(file, "utf8")) as { readonly name?: unknown };
  return String(name);
};

const pathModule = (role: ModuleRole, name: string, cwd: string): ModulePlace => {
  const said = `${role.flag} ${name}`;
  const path = name.startsWith("file:") ? fileURLToPath(name) : resolve(cwd, name);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw notFound(`${said}: no such file ${path}; correct the path`);
  if (!stats.isDirectory()) return atUrl(pathToFileURL(path).href);
  // A package finds itself by its own name.
  const found = findFrom(path, `${packageName(path, said)}${role.entry.slice(1)}`, said);
  if ("place" in found) return found;
  throw notFound(
    found.file === undefined
      ? `${said}: package.json of ${path} has no "${role.entry}" in "exports"; add it, or name a file in the folder`
      : `${said}: ${found.file} does not exist; build the package, or name a source file in it`,
  );
};

/** A possible meaning of a name: a module and the folders to resolve it from, in order. */
type Candidate = readonly [module: string, folders: readonly string[]];

const packageAndEntry = /^((?:@[^/]+\/)?[^/]+)(\/.+)?$/;

const own = import.meta.dirname;

/** Ours by a short name, which come with the command; then a package, which people have in a folder of theirs. */
const candidates = (role: ModuleRole, name: string, cwd: string): readonly Candidate[] => {
  const [, packageOf = name, entry] = packageAndEntry.exec(name) ?? [];
  // A simulator is also named by the provider that it is for.
  const ours = ownPackage(role, packageOf.replace(/^@capstan\//, ""));
  const isOurs = packageOf.startsWith("@capstan/") && ownNames(role).some((short) => ownPackage(role, short) === ours);
  const asPackage: Candidate = [
    isOurs ? `${ours}${entry ?? ""}` : `${packageOf}${entry ?? role.entry.slice(1)}`,
    [cwd, own],
  ];
  return name.startsWith("@") ? [asPackage] : [[`${ownPackage(role, packageOf)}${entry ?? ""}`, [own, cwd]], asPackage];
};

/** Looks in one folder; what is in a bundle with the command is known without a search. */
const findIn = (folder: string, module: string, said: string): ModulePlace | Missing => {
  const bundled = folder === own ? bundledModules[module] : undefined;
  return bundled === undefined ? findFrom(folder, module, said) : { place: module, import: bundled };
};

/** Finds the module that a name on the command line means. Throws `module.not_found`, `module.entry_missing`. */
export const resolveModule = (role: ModuleRole, name: string, cwd: string): ModulePlace => {
  if (isPath(name)) return pathModule(role, name, cwd);
  const said = `${role.flag} ${name}`;
  const tried = candidates(role, name, cwd);
  let unbuilt: string | undefined;
  for (const [module, folders] of tried) {
    for (const folder of folders) {
      const found = findIn(folder, module, said);
      if ("place" in found) return found;
      unbuilt ??= found.file;
    }
  }
  const packages = tried.map(([module]) => module).join(" or ");
  throw notFound(
    unbuilt === undefined
      ? `${said}: cannot find package ${packages} from ${cwd} or from the command; ours are ${ownNames(role).join(", ")}: correct the name, install the package (npm install), or name a file by its path, such as ./${role.factory}.ts`
      : `${said}: ${unbuilt} does not exist; build the package`,
  );
};
