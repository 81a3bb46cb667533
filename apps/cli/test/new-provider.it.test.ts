import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { newProvider, type NewProviderOptions } from "../src/new/new-provider.ts";
import { readTemplateFiles, type TemplateFiles } from "../src/new/template-files.ts";
import { templateFiles, templateRoles } from "../src/new/templates.ts";
import { createProgram } from "../src/program.ts";
import { startUp } from "./up-in-process.ts";

const repository = join(import.meta.dirname, "../../..");
const root = realpathSync(mkdtempSync(join(tmpdir(), "capstan-new-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const written = (
  options: Partial<NewProviderOptions> & { readonly name: string },
  cwd = root,
): { readonly files: TemplateFiles; readonly said: string } => {
  let said = "";
  const all = { role: "infra", kind: undefined, directory: undefined, ...options } as const;
  newProvider(all, { cwd, write: (text) => void (said += text) });
  const [, directory = ""] = / files written to (.*)\. Next:/.exec(said) ?? [];
  return { files: readTemplateFiles(directory), said };
};

const manifestOf = (files: TemplateFiles): Readonly<Record<string, unknown>> =>
  JSON.parse(files["package.json"] ?? "") as Record<string, unknown>;

describe("a package of its own", () => {
  it("is installed from the registry where the command itself came from there", () => {
    let said = "";
    const options = { name: "big-cloud", role: "infra", kind: undefined, directory: join(root, "published") } as const;
    newProvider(options, { cwd: root, program: root, write: (text) => void (said += text) });
    expect(said).toContain("  npm install && npm run build && npm test\n");
    expect(said).toContain("README.md shows how to pack them");
  });

  it.each(templateRoles)("of role %s has its own names everywhere, and depends on one release", (role) => {
    const { files, said } = written({ name: "big-cloud", role });
    expect(Object.entries(files).filter(([path, text]) => /acme/i.test(path + text))).toEqual([]);
    expect(Object.keys(files)).toEqual(expect.arrayContaining([".gitignore", "README.md", "src/index.ts"]));
    const { name, dependencies, devDependencies, exports } = manifestOf(files);
    expect(name).toBe(`capstan-${role}-big-cloud`);
    expect(exports).toMatchObject({ ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } });
    expect(JSON.stringify(exports)).not.toContain("source");
    const ours = Object.entries({ ...(dependencies as object), ...(devDependencies as object) }).filter(([each]) =>
      each.startsWith("@capstan/"),
    );
    expect(new Set(ours.map(([, version]) => version as string))).toEqual(new Set([`^${manifest.version}`]));
    const packs = join(root, "capstan-packs");
    expect(said).toContain(`  npm --prefix ${repository} run packs -- ${packs}\n`);
    expect(said).toContain(`  npm install --no-save ${packs}/*.tgz && npm run build && npm test\n`);
  });

  it("compiles, in every role", () => {
    const folder = join(root, "compiled");
    const settings = templateRoles.map((role) => {
      const { files } = written({ name: "big-cloud", role, directory: join(folder, role) });
      return JSON.parse(files["tsconfig.json"] ?? "") as { readonly include: readonly string[] };
    });
    const [first] = settings;
    expect(settings).toEqual(templateRoles.map(() => first));
    // One run for all: each would read the same packages.
    const include = templateRoles.flatMap((role) => first!.include.map((part) => `${role}/${part}`));
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ ...first, include }));
    symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
    const tsc = spawnSync(join(repository, "node_modules/.bin/tsc"), ["--customConditions", "@capstan/source"], {
      cwd: folder,
      encoding: "utf8",
    });
    expect({ status: tsc.status, out: tsc.stdout }).toEqual({ status: 0, out: "" });
  });

  it.each([
    {
      name: "infra-little-cloud",
      runs: "core, bootstrap-kubeadm, infra-little-cloud",
      flagsIn: (module: string) => [
        "--providers",
        `core,bootstrap-kubeadm,${module}/index.ts`,
        "--simulate",
        `${module}/sim.ts`,
      ],
      shows: "CloudletMachine",
    },
    {
      name: "bootstrap-little-cloud",
      role: "bootstrap",
      runs: "core, infra-linode, bootstrap-little-cloud",
      flagsIn: (module: string) => ["--providers", `core,infra-linode,${module}/index.ts`, "--simulate", "linode"],
      shows: "CloudletConfig",
    },
  ] as const)("runs a cluster: $name", async ({ flagsIn, runs, shows, ...options }) => {
    const directory = join(root, `ran-${options.name}`);
    written({ ...options, kind: "Cloudlet", directory });
    symlinkSync(join(repository, "node_modules"), join(directory, "node_modules"));
    const until = ["-f", join(directory, "example/cluster.yaml"), "--until", "running", "--timeout", "90s"];
    await using up = await startUp(["--in-memory", ...flagsIn(join(directory, "src")), ...until]);
    expect(await up.ended(), JSON.stringify(up.events)).toBe(0);
    expect(up.events).toContainEqual(expect.objectContaining({ message: `providers ${runs} run` }));
    const name = expect.stringMatching(/^little-cloud-workers-/) as string;
    expect(up.events).toContainEqual(expect.objectContaining({ kind: shows, name, state: "Ready" }));
  });

  it.each(templateRoles)("is the template itself when it is called as that: %s", (role) => {
    const { files } = written({ name: "acme", role, directory: join(root, `acme-${role}`) });
    const template = templateFiles(`${role}-acme`);
    const sources = Object.keys(template).filter((path) => /^(?:src|test|example|README)/.test(path));
    expect(sources.length).toBeGreaterThan(10);
    for (const path of sources) expect({ path, text: files[path] }).toEqual({ path, text: template[path] });
  });
});

describe("a package of the repository", () => {
  const own = join(root, "repository");
  mkdirSync(join(own, "packages/contract"), { recursive: true });
  writeFileSync(join(own, "package.json"), JSON.stringify({ name: "capstan" }));

  it("has the layout, versions and settings of the others", () => {
    const { files, said } = written({ name: "big-cloud" }, join(own, "packages"));
    expect(said).toContain(join(own, "packages/infra-big-cloud"));
    const azure = JSON.parse(readFileSync(join(repository, "packages/infra-azure/package.json"), "utf8")) as {
      readonly exports: unknown;
      readonly scripts: unknown;
    };
    const { exports, scripts } = azure;
    expect(manifestOf(files)).toMatchObject({
      name: "@capstan/infra-big-cloud",
      version: manifest.version,
      exports,
      scripts,
    });
    expect(manifestOf(files)).toMatchObject({
      dependencies: { "@capstan/kit": manifest.version },
      devDependencies: { "@capstan/testing": manifest.version },
    });
    expect(files["tsconfig.build.json"]).toContain('"../kit/tsconfig.build.json"');
    for (const name of ["tsconfig.json", "vitest.config.ts"]) {
      expect(files[name]).toBe(readFileSync(join(repository, "packages/infra-azure", name), "utf8"));
    }
    expect(files["README.md"]).toContain("npx capstan up --providers core,bootstrap-kubeadm,packages/infra-big-cloud");
    expect(files["README.md"]).not.toContain("npm run packs");
    expect(files[".gitignore"]).toBeUndefined();
  });

  it("is one of its own beside them when a directory says so", () => {
    const { files } = written({ name: "big-cloud", directory: "../elsewhere" }, own);
    expect(manifestOf(files)["name"]).toBe("capstan-infra-big-cloud");
  });
});

it.each([
  ["Big", "new.name_invalid", /^Big: a name is up to 28 lowercase letters/],
  ["big--cloud", "new.name_invalid", /single hyphens/],
  ["object-store-big", "new.name_invalid", /the name has the role object-store; add --role object-store/],
  ["big --kind big", "new.name_invalid", /^--kind big: kinds start with a capital/],
  [`big --directory ${repository}`, "new.directory_not_empty", /is not empty; choose another --directory/],
  ["big --directory /proc/none/big", "file.unwritable", /^--directory: cannot create the folder \/proc\/none/],
])("capstan new provider %s: %s", async (line, code, message) => {
  const run = createProgram({ write: () => undefined }).run(["new", "provider", ...line.split(" ")]);
  await expect(run).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
});

it("a package can be read by others than who made it", () => {
  const directory = join(root, "shared");
  const before = process.umask(0o077);
  try {
    written({ name: "shared", directory });
    expect([directory, join(directory, "package.json")].map((path) => statSync(path).mode & 0o777)).toEqual([
      0o755, 0o644,
    ]);
  } finally {
    process.umask(before);
  }
});

it("a package of its own brings the Node that the repository has", () => {
  const { files } = written({ name: "nodes" });
  const { devDependencies } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  expect(manifestOf(files)).toMatchObject({
    devDependencies: { node: devDependencies["node"] },
    allowScripts: { node: true },
  });
});

it.each(templateRoles)("the template %s has the tools that the repository has", (role) => {
  const { devDependencies } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
    readonly devDependencies: object;
  };
  const tools = ["@types/node", "typescript", "vitest"];
  const template = manifestOf(templateFiles(`${role}-acme`))["devDependencies"] as Readonly<Record<string, string>>;
  for (const tool of tools) expect(devDependencies).toHaveProperty([tool], template[tool]);
});
