import manifest from "../../package.json" with { type: "json" };
import type { ProviderNames } from "./provider-names.ts";
import type { TemplateFiles } from "./template-files.ts";
import { templateFiles } from "./templates.ts";

/** The `package.json` of a template. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: true;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

type Versions = Readonly<Record<string, string>>;

const isOurs = (name: string): boolean => name.startsWith("@capstan/");

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Settings of a package of its own; those of ours come from the root of the repository. */
const compilerOptions = {
  target: "es2024",
  lib: ["es2024", "esnext.disposable"],
  module: "nodenext",
  types: ["node"],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  noPropertyAccessFromIndexSignature: true,
  noFallthroughCasesInSwitch: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  rewriteRelativeImportExtensions: true,
  resolveJsonModule: true,
  skipLibCheck: true,
};

/** Ours of one release, in any later one that fits; the rest as it was tested. */
const ranges = (versions: Versions): Versions =>
  Object.fromEntries(
    Object.entries(versions).map(([name, version]) => [name, isOurs(name) ? `^${manifest.version}` : version]),
  );

/** Templates are not published; what is made from them may be. */
const publishable = (template: Manifest): Omit<Manifest, "private"> => {
  const { private: _, ...kept } = template;
  return kept;
};

const outsideManifest = (template: Manifest): object => ({
  ...publishable(template),
  exports: Object.fromEntries(
    Object.entries(template.exports).map(([entry, target]) => {
      if (typeof target === "string") return [entry, target];
      const { "@capstan/source": _source, ...built } = target;
      return [entry, built];
    }),
  ),
  scripts: { build: "tsc -p tsconfig.build.json", typecheck: "tsc", test: "vitest run", prepack: "npm run build" },
  dependencies: ranges(template.dependencies),
  devDependencies: ranges({
    "@capstan/cli": "",
    ...template.devDependencies,
    node: manifest.optionalDependencies.node,
  }),
  // The Node that sources need comes by a script of its installation.
  allowScripts: { node: true, protobufjs: false },
});

/** Files that a package outside of the repository has instead of those of a template. */
const outsideFiles = (template: Manifest): TemplateFiles => {
  const { gitignore = "", "vitest-config.ts": vitest = "" } = templateFiles("outside");
  const build = { rootDir: "src", outDir: "dist", declaration: true, declarationMap: true, sourceMap: true };
  return {
    ".gitignore": gitignore,
    "package.json": json(outsideManifest(template)),
    "tsconfig.build.json": json({
      extends: "./tsconfig.json",
      compilerOptions: { ...build, noEmit: false },
      include: ["src"],
      exclude: ["src/**/*.test.ts"],
    }),
    "tsconfig.json": json({
      compilerOptions: { ...compilerOptions, noEmit: true },
      include: ["src", "test", "vitest.config.ts"],
    }),
    "vitest.config.ts": vitest,
  };
};

/** In the repository, tools come from its root, and packages are two folders below it. */
const insideFiles = (files: TemplateFiles, template: Manifest, { role }: ProviderNames): TemplateFiles => {
  const up = (name: string): string =>
    (files[name] ?? "").replaceAll("../../../../packages/", "../").replaceAll("../../../../", "../../");
  const { devDependencies, ...kept } = publishable(template);
  const ours = Object.fromEntries(Object.entries(devDependencies).filter(([name]) => isOurs(name)));
  return {
    "package.json": json({ ...kept, name: `@capstan/${role}-acme`, devDependencies: ours }),
    "tsconfig.build.json": up("tsconfig.build.json"),
    "tsconfig.json": up("tsconfig.json"),
    "vitest.config.ts": up("vitest.config.ts"),
  };
};

/** The files of a package that is made from a template, still with the names of the template. */
export const packageFiles = (names: ProviderNames, place: "inside" | "outside"): TemplateFiles => {
  const files = templateFiles(`${names.role}-acme`);
  const template = JSON.parse(files["package.json"] ?? "") as Manifest;
  return { ...files, ...(place === "inside" ? insideFiles(files, template, names) : outsideFiles(template)) };
};
