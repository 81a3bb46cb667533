#!/usr/bin/env -S MALLOC_ARENA_MAX=1 node --max-semi-space-size=8 --heap-growing-percent=20
// The command for any Node from 20 on: what it runs needs a later one, and is started with the Node that the package brings where this
// one is too old. In a clone of the repository it runs from sources, without a build.
import { spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const needed = [24, 12];
const here = dirname(realpathSync(fileURLToPath(import.meta.url)));
const source = join(here, "../src/main.ts");
const isSource = existsSync(source);
const main = isSource ? source : join(here, "../dist/main.js");
const flags = [
  "--max-semi-space-size=8",
  "--heap-growing-percent=20",
  ...(isSource ? ["--conditions=@capstan/source"] : []),
];

/** @type {(text: string) => never} */
const fail = (text) => {
  process.stderr.write(`capstan: ${text}\n`);
  process.exit(1);
};

const isEnough = () => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major > needed[0] || (major === needed[0] && minor >= needed[1]);
};

/** The Node of the npm package `node`, beside this package or above it. */
const broughtNode = () => {
  for (let folder = here; ; folder = dirname(folder)) {
    const file = join(folder, "node_modules/node/bin/node");
    if (existsSync(file)) return file;
    if (folder === dirname(folder)) return undefined;
  }
};

/** As a process of its own, where one cannot become another. */
const runBeside = (node, args, env) => {
  const ending = new URL("end-with-launcher.js", import.meta.url).href;
  const child = spawn(node, ["--import", ending, ...args], { stdio: ["inherit", "inherit", "inherit", "ipc"], env });
  const isTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    // A terminal sends Ctrl-C to both, and the command takes a second one for impatience.
    process.on(signal, () => (signal === "SIGINT" && isTerminal ? undefined : child.kill(signal)));
  }
  child.on("error", (error) => fail(`${node} cannot be started: ${error.message}`));
  child.on("exit", (status, signal) => process.exit(status ?? 128 + constants.signals[signal ?? "SIGKILL"]));
};

const restart = (node) => {
  const args = [...flags, main, ...process.argv.slice(2)];
  const env = { MALLOC_ARENA_MAX: "1", ...process.env };
  if (process.execve === undefined) return runBeside(node, args, env);
  process.execve(node, [node, ...args], env);
};

// Within a package of a workspace, npx starts in the folder of the package: paths are from where the user stands.
const { INIT_CWD: standing = "", npm_lifecycle_event: event, npm_lifecycle_script: script = "" } = process.env;
if (event === "npx" && /^'?capstan\b/.test(script) && existsSync(standing)) process.chdir(standing);

if (!existsSync(main)) fail(`${main} is missing: the package is not built; run npm run build, or install it again`);
if (isEnough() && (!isSource || process.execArgv.includes(flags.at(-1)))) await import(main);
else {
  const node = isEnough() ? process.execPath : broughtNode();
  if (node === undefined) {
    fail(
      `needs Node ${needed.join(".")} or later, and this is ${process.versions.node}; install a later one, or the npm package node@${needed[0]} beside this one`,
    );
  }
  restart(node);
}
