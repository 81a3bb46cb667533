import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { isCapstanError, Secret, silentLogger } from "@capstan/contract";
import type { OutsideV1, SimulationV1 } from "@capstan/contract/v1";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { afterAll, describe, expect, it } from "vitest";
import { createObjectStores, objectStoreNames } from "../src/modules/object-stores.ts";
import { outsideOf } from "../src/modules/outside.ts";
import { createProviders, providerNames } from "../src/modules/providers.ts";
import { checkOptions } from "../src/modules/declared-options.ts";
import { loadSimulations } from "../src/up/simulations.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "capstan-modules-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Writes files; paths are relative to the folder of the tests. */
const write = (files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
};

const outside = outsideOf({
  clock: systemClock,
  random: cryptoRandom,
  log: silentLogger,
  variables: (name) => (name === "ACME_REGION" ? "mars" : undefined),
});

/** A module of a provider of one kind, named after the provider. */
const provider = (name: string, members = ""): string => `export const createProvider = (outside) => ({
  contract: "v1",
  name: ${JSON.stringify(name)},
  kinds: [{ group: "acme.example", version: "v1", kind: "${name}", plural: "${name}s", namespaced: true }],
  register: () => undefined,
  ${members}
});
`;

const packageJson = (name: string, exports: object): string => JSON.stringify({ name, type: "module", exports });

const nameOf = async (given: string, cwd = root): Promise<string | undefined> =>
  (await createProviders([given], outside, { cwd }))[0]?.name;

const simulation = (name: string): string =>
  `export const createSimulation = () => ({ contract: "v1", name: "${name}", start: async () => {}, stop: async () => {} });`;

const cloudOf = async (given: string): Promise<string | undefined> => {
  const [factory] = await loadSimulations([given], {}, { cwd: root });
  return (await factory?.make({} as never))?.name;
};

write({
  "plain.js": provider("plain"),
  "typed.ts": `import type { Nothing } from "nowhere";\nconst typed: string = "typed";\n${provider("typed").replace("(outside)", "(outside: unknown)")}`,
  "mine/package.json": packageJson("mine", { ".": "./index.js", "./sim": "./sim.js" }),
  "mine/index.js": provider("mine"),
  "mine/sim.js": simulation("mine"),
  "node_modules/@acme/infra/package.json": packageJson("@acme/infra", {
    ".": { import: "./index.js" },
    "./other": { import: "./other.js" },
    "./sim": { import: "./sim.js" },
    "./unbuilt": { import: "./dist/unbuilt.js" },
  }),
  "node_modules/@acme/infra/index.js": provider("infra-acme"),
  "node_modules/@acme/infra/other.js": provider("infra-other"),
  "node_modules/@acme/infra/sim.js": simulation("acme"),
  "node_modules/acme-cloud/package.json": packageJson("acme-cloud", { ".": "./index.js" }),
  "node_modules/acme-cloud/index.js": provider("acme-cloud"),
  "deep/down/here/note.txt": "",
});

describe("a provider is loaded", () => {
  it.each([
    ["by a short name of ours", "bootstrap-kubeadm", "bootstrap-kubeadm"],
    ["by the name of a package of ours", "@capstan/infra-linode", "infra-linode"],
    ["by the path of a source", "./plain.js", "plain"],
    ["by the path of a source without a dot", "typed.ts", "typed"],
    ["by an absolute path", join(root, "plain.js"), "plain"],
    ["by a URL", pathToFileURL(join(root, "typed.ts")).href, "typed"],
    ["by the folder of a package", "./mine", "mine"],
    ["by a package of the user's folder", "@acme/infra", "infra-acme"],
    ["by an entry of such a package", "@acme/infra/other", "infra-other"],
    ["by a package without a scope", "acme-cloud", "acme-cloud"],
  ])("%s", async (_, given, name) => {
    expect(await nameOf(given)).toBe(name);
  });

  it("from the folder where the user stands, or one above it", async () => {
    expect(await nameOf(".", join(root, "mine"))).toBe("mine");
    expect(await nameOf("@acme/infra", join(root, "deep/down/here"))).toBe("infra-acme");
  });

  it("as all of ours, core first, when none is named", async () => {
    expect(providerNames).toEqual([
      "core",
      "bootstrap-composite",
      "bootstrap-kubeadm",
      "bootstrap-rke2-k3s",
      "controlplane-kubeadm",
      "controlplane-rke2-k3s",
      "infra-azure",
      "infra-linode",
      "infra-metal",
      "tinkerbell",
    ]);
    expect((await createProviders(providerNames, outside)).map(({ name }) => name)).toEqual(providerNames);
  });

  it("are given the options that they declare, in their types", async () => {
    write({
      "choosing.js": `const create = (outside, values) => ({
        contract: "v1", name: "infra-acme", version: JSON.stringify(values), kinds: [], register: () => undefined,
      });
      const options = { poll: { type: "duration", help: "how often" }, zones: { type: "list", help: "where" } };
      export const createProvider = Object.assign(create, { declaration: { of: "infra-acme", options } });`,
      "undeclared.js": provider("undeclared")
        .replace("= (outside)", "= Object.assign((outside)")
        .replace("});\n", "}), { declaration: {} });\n"),
    });
    const made = async (...settings: readonly string[]) =>
      (await createProviders(["./choosing.js"], outside, { cwd: root, settings }))[0]?.version;
    expect(await made()).toBe("{}");
    expect(await made("infra-acme.poll=2s", "infra-acme.zones=a,b", "core.x=1")).toBe(
      '{"pollMs":2000,"zones":["a","b"]}',
    );
    await expect(made("infra-acme.pool=2s")).rejects.toMatchObject({
      code: "option.unknown",
      message: "--set-option infra-acme.pool: infra-acme has no option pool; did you mean infra-acme.poll?",
    });
    const names = { providers: [join(root, "choosing.js")], objectStores: ["s3"] };
    await checkOptions(["infra-acme.poll=2s", "object-store-s3.maxAttempts=2"], names);
    await expect(checkOptions(["infra-acne.poll=2s"], names)).rejects.toMatchObject({
      code: "option.unknown",
      message: expect.stringContaining("did you mean infra-acme.poll?"),
    });
    await expect(checkOptions(["object-store-s3.maxAttempts=0"], names)).rejects.toMatchObject({
      code: "option.invalid",
    });
    await expect(createProviders(["./undeclared.js"], outside, { cwd: root })).rejects.toMatchObject({
      code: "module.invalid",
      message: expect.stringContaining("withOptions"),
    });
  });

  it("with what is outside: variables, and the simulated cloud before the real one", async () => {
    write({
      "asking.js": `export const createProvider = async ({ variable, simulated, clock, random, log }) => {
        const { endpoint, token } = simulated("acme") ?? {};
        log.child({}).info("made");
        const version = [variable("ACME_REGION"), variable("ACME_TOKEN"), endpoint, token?.reveal(), clock.now() > 0, random.next() < 1].join(" ");
        return { contract: "v1", name: "infra-acme", version, kinds: [], register: () => undefined };
      };`,
    });
    const said = async (given: OutsideV1): Promise<string | undefined> =>
      (await createProviders(["./asking.js"], given, { cwd: root }))[0]?.version;
    expect(await said(outside)).toBe("mars    true true");
    const cloud = { endpoint: "http://127.0.0.1:7", token: new Secret("t") };
    const acme = {
      name: "acme",
      cloud,
      variables: { ACME_TOKEN: "v", ACME_REGION: "moon" },
    } as unknown as SimulationV1;
    const environment = { ...outside, variables: outside.variable };
    expect(await said(outsideOf(environment, [acme]))).toBe("moon v http://127.0.0.1:7 t true true");
  });

  it("with a variable that is set to nothing as with one that is not set", () => {
    expect(outsideOf({ ...outside, variables: () => "" }).variable("ACME_REGION")).toBeUndefined();
    const empty = { name: "acme", cloud: { endpoint: "http://127.0.0.1:7" }, variables: { ACME_REGION: "" } };
    expect(outsideOf({ ...outside, variables: outside.variable }, [empty]).variable("ACME_REGION")).toBeUndefined();
  });
});

describe("a simulation is loaded", () => {
  it.each([
    ["by the name of a cloud of ours", "linode", "linode"],
    ["by the name of our provider", "infra-linode", "linode"],
    ["by the package of our provider", "@capstan/infra-linode", "linode"],
    ["by its own package", "@capstan/sim-linode", "linode"],
    ["from the package of its provider", "@acme/infra", "acme"],
    ["by the folder of a package", "./mine", "mine"],
    ["by a path", "./mine/sim.js", "mine"],
  ])("%s", async (_, given, name) => {
    const [factory] = await loadSimulations([given], {}, { cwd: root });
    expect(factory).toBeDefined();
    if (name !== "linode") expect(await cloudOf(given)).toBe(name);
  });
});

describe("an object store is loaded", () => {
  it.each(["s3", "object-store-s3", "@capstan/object-store-s3"])("by the name %s", async (name) => {
    expect((await createObjectStores([name], outside)).map(({ type }) => type)).toEqual(["s3"]);
    expect(objectStoreNames).toEqual(["azure-blob", "local", "s3"]);
  });

  it("by a path, one for each type", async () => {
    write({ "store.js": `export const createObjectStore = () => ({ contract: "v1", type: "s3", open: () => {} });` });
    expect((await createObjectStores(["./store.js"], outside, { cwd: root })).map(({ type }) => type)).toEqual(["s3"]);
    await expect(createObjectStores(["s3", "./store.js"], outside, { cwd: root })).rejects.toMatchObject({
      code: "module.name_taken",
      message: "--object-stores ./store.js: stores of type s3 are provided by --object-stores s3; name one of the two",
    });
    write({
      "default.js": `export const createObjectStore = () => ({ contract: "v1", type: "x", isDefault: true, open: () => {} });`,
    });
    await expect(createObjectStores(["s3", "./default.js"], outside, { cwd: root })).rejects.toMatchObject({
      code: "module.name_taken",
      message: expect.stringMatching(
        /^--object-stores .\/default.js: Secrets without a type are served by --object-stores s3; /,
      ),
    });
  });
});

/** What loading fails with. */
const failureOf = async (work: Promise<unknown>): Promise<{ readonly code: string; readonly message: string }> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isCapstanError(error)) throw new Error("no CapstanError", { cause: error });
  return { code: error.code, message: error.message };
};

describe("a module that cannot be used is named with what is wrong and how to mend it", () => {
  write({
    "broken.js": "export const = 1;",
    "lacking.js": `import "nobody-has-this"; ${provider("x")}`,
    "empty.js": "",
    "named.js": "export const provider = 1, other = 2;",
    "value.js": "export const createProvider = {};",
    "throwing.js": `export const createProvider = () => { throw new Error("set ACME_TOKEN"); };`,
    "newer.js": `export const createProvider = () => ({ contract: "v2" });`,
    "nothing.js": "export const createProvider = () => undefined;",
    "nameless.js": `export const createProvider = () => ({ contract: "v1" });`,
    "kindless.js": `export const createProvider = () => ({ contract: "v1", name: "a", kinds: [{ kind: "A" }] });`,
    "idle.js": `export const createProvider = () => ({ contract: "v1", name: "a", kinds: [] });`,
    "unexported/package.json": packageJson("unexported", { "./sim": "./sim.js" }),
    "unbuilt/package.json": packageJson("unbuilt", { ".": "./dist/index.js" }),
    "folder/file.txt": "",
  });

  it.each([
    [
      "moon",
      "module.not_found",
      /^--providers moon: cannot find package @capstan\/moon or moon from .* or from the command; ours are core, .*infra-linode.*: .*npm install/,
    ],
    ["@acme/moon", "module.not_found", /cannot find package @acme\/moon from /],
    ["./moon.ts", "module.not_found", /no such file \/.*\/moon\.ts; correct the path/],
    ["./folder", "module.not_found", /the folder \/.*\/folder has no package\.json; /],
    ["./unbuilt", "module.not_found", /\/unbuilt\/dist\/index\.js does not exist; build the package/],
    ["@acme/infra/unbuilt", "module.not_found", /\/dist\/unbuilt\.js does not exist; build the package/],
    ["@acme/infra/elsewhere", "module.entry_missing", /'\.\/elsewhere' is not defined.*; name an entry that it has/],
    ["./unexported", "module.entry_missing", /No "exports" main defined.*; name an entry that it has/],
    ["./broken.js", "module.failed", /broken\.js cannot be loaded: [^]*; build it/],
    ["./lacking.js", "module.failed", /cannot be loaded: .*nobody-has-this.*install its dependencies/],
    [
      "./empty.js",
      "module.export_missing",
      /empty\.js\) exports nothing and no function createProvider; export createProvider\(outside\): ProviderV1/,
    ],
    ["./named.js", "module.export_missing", /exports other, provider and no function createProvider/],
    ["./value.js", "module.export_missing", /exports createProvider and no function createProvider/],
    ["./throwing.js", "module.factory_failed", /throwing\.js\): createProvider failed: set ACME_TOKEN/],
    ["./newer.js", "module.contract_unsupported", /for contract "v2", but this command supports "v1"; use a release/],
    ["./nothing.js", "module.invalid", /createProvider did not return a ProviderV1: it is undefined/],
    ["./nameless.js", "module.invalid", /its name is undefined; it must be .*such as infra-acme/],
    ["./kindless.js", "module.invalid", /its kinds must be a list of kinds/],
    ["./idle.js", "module.invalid", /it has no function register\(host\)/],
  ])("%s: %s", async (given, code, message) => {
    expect(await failureOf(nameOf(given))).toEqual({ code, message: expect.stringMatching(message) });
  });

  it.each([
    [
      "moon",
      "module.not_found",
      /^--simulate moon: cannot find package @capstan\/sim-moon or moon\/sim from .* ours are azure, linode.*: /,
    ],
    ["acme-cloud", "module.entry_missing", /\.\/sim.* is not defined/],
    [
      "./plain.js",
      "module.export_missing",
      /exports createProvider and no function createSimulation; export createSimulation\(outside\): SimulationV1/,
    ],
  ])("--simulate %s: %s", async (given, code, message) => {
    expect(await failureOf(cloudOf(given))).toEqual({ code, message: expect.stringMatching(message) });
  });

  it("two that are one: by name, by kind", async () => {
    write({ "again.js": provider("plain"), "same.js": provider("same").replaceAll("sames", "plains") });
    const together = (other: string) => failureOf(createProviders(["./plain.js", other], outside, { cwd: root }));
    expect(await together("./again.js")).toEqual({
      code: "module.name_taken",
      message:
        "--providers ./again.js: provider plain is already loaded from --providers ./plain.js; name one of the two",
    });
    expect(await together("./same.js")).toEqual({
      code: "module.kind_taken",
      message:
        "--providers ./same.js: same of acme.example is also a kind of --providers ./plain.js; run one of the two",
    });
  });
});
