import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { CapstanError } from "@capstan/contract";
import { makeFolderOf } from "../make-folder.ts";
import { alignedTables } from "./aligned-tables.ts";
import { packageFiles } from "./package-files.ts";
import { providerNames, renamed, type ProviderNames } from "./provider-names.ts";
import type { TemplateRole } from "./templates.ts";

/** Options of `capstan new provider`. */
export interface NewProviderOptions {
  readonly name: string;
  readonly role: TemplateRole;
  /** Prefix of kinds. Default: derived from the name. */
  readonly kind: string | undefined;
  /** Default: below `packages` of the repository, else below the folder where the user stands. */
  readonly directory: string | undefined;
}

/** Our own repository, if a folder is in it. */
const repositoryOf = (folder: string): string | undefined => {
  const file = join(folder, "package.json");
  if (existsSync(file) && existsSync(join(folder, "packages/contract"))) {
    const { name } = JSON.parse(readFileSync(file, "utf8")) as { readonly name?: unknown };
    if (name === "capstan") return folder;
  }
  const above = dirname(folder);
  return above === folder ? undefined : repositoryOf(above);
};

interface Place {
  readonly directory: string;
  readonly place: "inside" | "outside";
}

const placeOf = ({ role, kebab }: ProviderNames, directory: string | undefined, cwd: string): Place => {
  const repository = repositoryOf(cwd);
  const chosen =
    directory === undefined
      ? repository === undefined
        ? join(cwd, `capstan-${role}-${kebab}`)
        : join(repository, "packages", `${role}-${kebab}`)
      : resolve(cwd, directory);
  const isInside = repository !== undefined && dirname(chosen) === join(repository, "packages");
  return { directory: chosen, place: isInside ? "inside" : "outside" };
};

const checkEmpty = (directory: string): void => {
  if (!existsSync(directory) || readdirSync(directory).length === 0) return;
  throw new CapstanError({
    code: "new.directory_not_empty",
    reason: "DirectoryNotEmpty",
    message: `${directory} is not empty; choose another --directory, or another name`,
    retry: { kind: "never" },
  });
};

/** Where things are done differently in the repository. */
const insideText = (text: string, { role, kebab }: ProviderNames): string =>
  text
    .replace("npm install && npm run build && npm test", `npm test -- packages/${role}-${kebab}/`)
    .replace(/^Before the packages of Capstan are published.*\n\n/m, "")
    .replaceAll(/(?<=[ ,])\.(?=[ ,])/g, `packages/${role}-${kebab}`)
    .replaceAll("example/", `packages/${role}-${kebab}/example/`)
    .replace(`# capstan-${role}-${kebab}`, `# @capstan/${role}-${kebab}`);

const contentOf = (path: string, text: string, names: ProviderNames, place: Place["place"]): string => {
  const content = renamed(text, names, path.endsWith(".yaml") ? "kebab" : "compact");
  if (path !== "README.md") return content;
  return alignedTables(place === "inside" ? insideText(content, names) : content);
};

const build = "npm run build && npm test";

/** From a clone, the packages are packed there: the registry need not have them. Whoever has the command from elsewhere has them, too. */
const installSteps = (directory: string, clone: string | undefined): readonly string[] => {
  if (clone === undefined) {
    return [`npm install && ${build}`, "if your registry has no @capstan packages, README.md shows how to pack them"];
  }
  const packs = join(dirname(directory), "capstan-packs");
  return [`npm --prefix ${clone} run packs -- ${packs}`, `npm install --no-save ${packs}/*.tgz && ${build}`];
};

const nextSteps = (names: ProviderNames, { directory, place }: Place, clone: string | undefined): readonly string[] =>
  place === "outside"
    ? [`cd ${directory}`, ...installSteps(directory, clone), "README.md shows how to run it, and where to start"]
    : [
        "npm install                       # links it and updates the lock file",
        "npm run crds && npm run format",
        "npm run check                     # names what is missing, such as its error codes in docs/errors.md",
        `npm test -- packages/${names.role}-${names.kebab}/`,
        "to ship it with the command, add it to the dependencies and references of apps/cli",
      ];

interface NewProviderPlace {
  readonly cwd: string;
  /** Folder of the program that writes it. Default: its own. */
  readonly program?: string;
  readonly write: (text: string) => void;
}

/** Writes a package with a new provider, and says what to do next. Throws `new.name_invalid`, `new.directory_not_empty`, `file.unwritable`. */
export const newProvider = (
  options: NewProviderOptions,
  { cwd, program = import.meta.dirname, write }: NewProviderPlace,
): void => {
  const names = providerNames(options.name, options);
  const where = placeOf(names, options.directory, cwd);
  checkEmpty(where.directory);
  const files = Object.entries(packageFiles(names, where.place));
  // The command keeps what it writes to its user; sources are for everybody who works on them.
  process.umask(0o022);
  for (const [path, text] of files) {
    const file = join(where.directory, renamed(path, names, "kebab"));
    makeFolderOf("directory", dirname(file), 0o777);
    writeFileSync(file, contentOf(path, text, names, where.place));
  }
  write(`${files.length} files written to ${where.directory}. Next:\n`);
  for (const step of nextSteps(names, where, repositoryOf(program))) write(`  ${step}\n`);
};
