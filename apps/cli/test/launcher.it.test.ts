import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };

const program = join(import.meta.dirname, "..", manifest.bin.capstan);
const root = realpathSync(mkdtempSync(join(tmpdir(), "capstan-launcher-")));
afterAll(() => rmSync(root, { recursive: true }));

/** Makes this Node an older one for the program: without what it lacks, and by its number. */
const older = join(root, "older.mjs");
writeFileSync(
  older,
  `if (process.env.SEEN !== "yes") {
  process.env.SEEN = "yes";
  Object.defineProperty(process.versions, "node", { value: "20.18.0" });
  process.execve = undefined;
}`,
);

interface Ended {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

const run = (file: string, args: readonly string[], options: { readonly old?: true; readonly cwd?: string } = {}) =>
  new Promise<Ended>((resolve) => {
    const imports = options.old === true ? ["--import", older] : [];
    const place = options.cwd === undefined ? {} : { cwd: options.cwd };
    execFile(process.execPath, [...imports, file, ...args], place, (error, out, err) => {
      resolve({ status: error === null ? 0 : Number(error.code), out, err });
    });
  });

/** The package as it is installed, with a command that says how it was started. */
const installed = (name: string, { brought }: { readonly brought: boolean }): string => {
  const folder = join(root, name, "node_modules/@capstan/cli");
  for (const part of ["bin", "dist"]) mkdirSync(join(folder, part), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  for (const part of ["capstan.js", "end-with-launcher.js"]) {
    copyFileSync(join(program, "..", part), join(folder, "bin", part));
  }
  writeFileSync(
    join(folder, "dist/main.js"),
    `if (process.argv[2] === "wait") { process.on("SIGINT", () => process.exit(7)); setInterval(() => {}, 1000); }
console.log(JSON.stringify({ args: process.argv.slice(2), node: process.execPath, flags: process.execArgv, arenas: process.env.MALLOC_ARENA_MAX }));
if (process.argv[2] === "fail") process.exitCode = 3;`,
  );
  if (brought) {
    mkdirSync(join(root, name, "node_modules/node/bin"), { recursive: true });
    symlinkSync(process.execPath, join(root, name, "node_modules/node/bin/node"));
  }
  return join(folder, "bin/capstan.js");
};

/** Says at the end how many modules of the API server and of providers were loaded. */
const counting = join(root, "counting.mjs");
writeFileSync(
  counting,
  `import { registerHooks } from "node:module";
let count = 0;
registerHooks({ load: (url, context, next) => { count += Number(/packages\\/(apiserver|core|kit|infra-)/.test(url)); return next(url, context); } });
process.on("exit", () => console.error("modules: " + count));`,
);

it.each(["version", "--help", "completion bash", "apiserver --help"])(
  "does not load the API server and providers for %s",
  async (words) => {
    const main = join(program, "../../src/main.ts");
    const flags = ["--conditions=@capstan/source", "--import", counting, main, ...words.split(" ")];
    const { status, err } = await new Promise<Ended>((resolve) => {
      execFile(process.execPath, flags, (error, out, err) => {
        resolve({ status: error === null ? 0 : Number(error.code), out, err });
      });
    });
    expect({ status, err }).toEqual({ status: 0, err: "modules: 0\n" });
  },
);

describe("the program of the package", () => {
  it("runs the sources in a clone, from any folder", async () => {
    expect(await run(program, ["--version"], { cwd: root })).toMatchObject({ status: 0, out: `${manifest.version}\n` });
    const { status, err } = await run(program, ["up", "--in-memory", "-f", "nope.yaml"], { cwd: root });
    expect({ status, err }).toEqual({
      status: 1,
      err: `capstan: -f nope.yaml: no such file or folder (from ${root})\n`,
    });
  });

  it("takes paths from where the user stands when npx starts it within a package of a workspace", async () => {
    const folder = join(root, "workspace");
    const standing = join(folder, "packages/a/src");
    mkdirSync(standing, { recursive: true });
    mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
    symlinkSync(program, join(folder, "node_modules/.bin/capstan"));
    writeFileSync(join(folder, "package.json"), '{"name":"workspace","private":true,"workspaces":["packages/*"]}');
    writeFileSync(join(folder, "packages/a/package.json"), '{"name":"a","version":"1.0.0"}');
    const { err } = await new Promise<Ended>((resolve) => {
      const command = ["--offline", "--no", "capstan", "up", "--in-memory", "-f", "nope.yaml"];
      execFile("npx", command, { cwd: standing }, (error, out, err) => {
        resolve({ status: error === null ? 0 : Number(error.code), out, err });
      });
    });
    expect(err).toContain(`capstan: -f nope.yaml: no such file or folder (from ${standing})\n`);
  });

  it("goes on in the same process under a Node that is new enough", async () => {
    const { out, status } = await run(installed("new", { brought: false }), ["fail", "a b"]);
    expect(JSON.parse(out)).toMatchObject({ args: ["fail", "a b"], node: process.execPath });
    expect(status).toBe(3);
  });

  it("starts again with the Node that it brings under an older one", async () => {
    const { out, status, err } = await run(installed("old", { brought: true }), ["fail", "a b"], { old: true });
    const node = join(root, "old/node_modules/node/bin/node");
    expect(JSON.parse(out)).toMatchObject({
      args: ["fail", "a b"],
      flags: expect.arrayContaining(["--max-semi-space-size=8"]),
      arenas: "1",
    });
    expect({ status, err, there: realpathSync(node) }).toEqual({ status: 3, err: "", there: process.execPath });
  });

  it("passes signals on to it and ends as it does", async () => {
    const file = installed("signals", { brought: true });
    const child = spawn(process.execPath, ["--import", older, file, "wait"], { stdio: ["ignore", "pipe", "ignore"] });
    await once(child.stdout, "data");
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([7, null]);
  });

  it("is not outlived by it, even when it is killed", async () => {
    const file = installed("killed", { brought: true });
    const child = spawn(process.execPath, ["--import", older, file, "wait"], { stdio: ["ignore", "pipe", "ignore"] });
    await once(child.stdout, "data");
    // Both have the pipe: it closes with the last of them.
    const ended = Promise.all([once(child, "exit"), once(child.stdout, "close")]);
    child.kill("SIGKILL");
    expect((await ended)[0]).toEqual([null, "SIGKILL"]);
  });

  it("says in one line what is missing when it brings none", async () => {
    const { status, out, err } = await run(installed("none", { brought: false }), [], { old: true });
    expect({ status, out }).toEqual({ status: 1, out: "" });
    expect(err).toMatch(
      /^capstan: needs Node 24\.12 or later, and this is 20\.18\.0; install .*node@24 beside this one\n$/,
    );
  });

  it("says in one line that it is not built", async () => {
    const file = installed("unbuilt", { brought: false });
    rmSync(join(root, "unbuilt/node_modules/@capstan/cli/dist"), { recursive: true });
    expect((await run(file, [])).err).toMatch(/^capstan: .*dist\/main\.js is missing: .*\n$/);
  });
});
