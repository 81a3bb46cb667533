import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { rolldown, type OutputChunk } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };
import config from "../rolldown.config.ts";

const folder = mkdtempSync(join(tmpdir(), "capstan-bundle-"));
afterAll(() => rmSync(folder, { recursive: true }));

const chunks = new Map<string, OutputChunk>();
beforeAll(async () => {
  const { output, ...input } = config;
  const bundle = await rolldown(input);
  const written = await bundle.write({ ...output, cleanDir: false, dir: folder });
  for (const part of written.output) if (part.type === "chunk") chunks.set(part.fileName, part);
});

/** The modules that are loaded together with a module of ours. */
const loadedWith = (module: string): readonly string[] => {
  const names = new Set<string>();
  const visit = (name: string): void => {
    if (names.has(name) || !chunks.has(name)) return;
    names.add(name);
    for (const imported of chunks.get(name)?.imports ?? []) visit(imported);
  };
  for (const { fileName, moduleIds } of chunks.values()) {
    if (moduleIds.some((id) => id.endsWith(module))) visit(fileName);
  }
  return [...names].flatMap((name) => chunks.get(name)?.moduleIds ?? []);
};

const libraries = (modules: readonly string[]): ReadonlySet<string> =>
  new Set(modules.flatMap((id) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? []));

const fileOf = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

describe("the bundle", () => {
  it("is run with the same variables and flags as a program and in an image", () => {
    const [program = ""] = fileOf("bin/capstan.js").split("\n");
    const image = fileOf("Dockerfile");
    const [variables = "", flags = ""] = /^#!\/usr\/bin\/env -S (.*) node (.*)$/.exec(program)?.slice(1) ?? [];
    expect(variables).not.toBe("");
    expect(image).toContain(`\nENV ${variables}\n`);
    const [, entry = ""] = /^ENTRYPOINT (.*)$/m.exec(image) ?? [];
    expect(JSON.parse(entry)).toEqual(["node", ...flags.split(" "), "/opt/capstan/capstan.mjs"]);
  });

  it("needs nothing but Node", () => {
    const outside = [...chunks.values()]
      .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
      .filter((name) => !chunks.has(name) && !isBuiltin(name));
    expect(new Set(outside)).toEqual(new Set());
    const version = execFileSync(process.execPath, [join(folder, "capstan.mjs"), "--version"], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(version.trim()).toBe(manifest.version);
  });

  it("evaluates in threads that begin at one of its parts", async () => {
    const partWith = (module: string): string =>
      [...chunks.values()].find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)))?.fileName ?? "";
    const url = (part: string): string => pathToFileURL(join(folder, part)).href;
    const begin = partWith("/evaluation/src/thread.ts");
    const evaluations = {
      "apiserver/schema-rules": partWith("/apiserver/src/cel/long-rules.ts"),
      "apiserver/schema-faults": partWith("/apiserver/src/crd/schema-faults.ts"),
      "apiserver/policy": partWith("/apiserver/src/webhooks/long-expressions.ts"),
      "bootstrap-kubeadm/files": partWith("/bootstrap-kubeadm/src/config/file-templates.ts"),
      "tinkerbell/template": partWith("/tinkerbell/src/template/render-template.ts"),
    };
    // What begins a thread with the part of the command line would run the command in it.
    expect([begin, ...Object.values(evaluations)]).not.toContain("capstan.mjs");
    const replies = new Int32Array(new SharedArrayBuffer(4));
    const thread = new Worker(new URL(url(begin)), { workerData: { mark: "capstan evaluations", replies } });
    const input = JSON.stringify({
      schema: '{"type":"object"}',
      object: {},
      policy: { metadata: {} },
      seen: {},
      templates: [],
    });
    for (const [name, part] of Object.entries(evaluations)) {
      thread.postMessage({ module: url(part), name, input });
      const [begun] = (await once(thread, "message")) as readonly unknown[];
      expect([name, begun]).toEqual([name, { kind: "begins" }]);
      await once(thread, "message");
    }
    await thread.terminate();
  });

  it("loads what is ours by name from itself, and what is not from the user's folder", () => {
    const place = mkdtempSync(join(tmpdir(), "capstan-bundle-user-"));
    const provider = `export const createProvider = () => ({ contract: "v1", name: "infra-acme", kinds: [], register: () => {} });`;
    writeFileSync(join(place, "acme.mjs"), provider);
    const installed = execFileSync(
      process.execPath,
      [join(folder, "capstan.mjs"), "install", "--print", "--providers", "core,infra-linode,./acme.mjs"],
      { cwd: place, encoding: "utf8" },
    );
    for (const name of ["core", "infra-linode", "infra-acme"]) expect(installed).toContain(`name: capstan-${name}\n`);
    rmSync(place, { recursive: true });
    const ours = [...chunks.values()].filter(({ facadeModuleId }) =>
      facadeModuleId?.endsWith("/sim-linode/src/index.ts"),
    );
    expect(ours).toHaveLength(1);
  });

  it("has the templates of providers in it", () => {
    const place = mkdtempSync(join(tmpdir(), "capstan-bundle-new-"));
    const args = [join(folder, "capstan.mjs"), "new", "provider", "acme", "--directory", join(place, "acme")];
    const said = execFileSync(process.execPath, args, { cwd: place, encoding: "utf8" });
    expect(said).toMatch(/^\d+ files written to /);
    const path = "src/provider.ts";
    expect(readFileSync(join(place, "acme", path), "utf8")).toBe(fileOf(`templates/infra-acme/${path}`));
    rmSync(place, { recursive: true });
  });

  it("loads a parser of flags and nothing else before it knows the command", () => {
    expect(libraries(loadedWith("/cli/src/program.ts"))).toEqual(new Set(["commander"]));
  });

  it.each(["prom-client", "undici"])("gives what is ours the parts of %s that it uses", (library) => {
    const whole = (modules: readonly string[]): boolean => modules.some((id) => id.endsWith(`/${library}/index.js`));
    const loaded = loadedWith("/cli/src/manager/run-manager.ts");
    expect(libraries(loaded)).toContain(library);
    expect(whole(loaded)).toBe(false);
  });

  it("takes what libraries require from what they have for that", () => {
    // With the other one protobufjs has no numbers of 64 bits.
    const modules = [...chunks.values()].flatMap(({ moduleIds }) => moduleIds);
    const long = modules.filter((id) => id.includes("node_modules/long/"));
    expect(long).toEqual([expect.stringMatching(/\/umd\/index\.js$/)]);
  });

  it.each(["@kubernetes/client-node", "@aws-sdk/client-s3", "@peculiar/x509", "@grpc/grpc-js"])(
    "runs a manager that does not need %s without it",
    (library) => {
      const loaded = libraries(loadedWith("/cli/src/manager/run-manager.ts"));
      expect(loaded).toContain("undici");
      expect(loaded).not.toContain(library);
      expect(libraries([...chunks.values()].flatMap(({ moduleIds }) => moduleIds))).toContain(library);
    },
  );
});
