import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { GoModule } from "./targets.ts";

const run = promisify(execFile);

/** The oldest release that builds every module. */
const oldestMinor = 26;

/** Folder with the pins of a module. */
export const pinsOf = ({ name }: GoModule): string => join(import.meta.dirname, "..", "modules", name);

/** `-mod` and workspaces of the surroundings must not change what is built. */
const environment = (mod: "readonly" | "mod") => ({
  ...process.env,
  GOFLAGS: `${(process.env["GOFLAGS"] ?? "").replaceAll(/-mod=\S*/g, "")} -mod=${mod}`.trim(),
  GOWORK: "off",
});

/** Output of a go command that runs in the folder of the pins. */
export const go = async (
  module: GoModule,
  args: readonly string[],
  mod: "readonly" | "mod" = "readonly",
): Promise<string> => {
  const { stdout } = await run("go", args, {
    cwd: pinsOf(module),
    env: environment(mod),
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
};

/** Where the module lies in Go's cache; it is downloaded when it is not there. */
export const moduleFolder = async (module: GoModule): Promise<string> => {
  const { Dir } = JSON.parse(await go(module, ["mod", "download", "-json", module.path])) as { readonly Dir: string };
  return Dir;
};

/** Why nothing can be built here; `undefined` when Go is there. */
export const goMissing = async (): Promise<string | undefined> => {
  try {
    const { stdout } = await run("go", ["env", "GOVERSION", "GOTOOLCHAIN"]);
    const [version = "", toolchain = ""] = stdout.trim().split("\n");
    const minor = Number(/^go1\.(\d+)/.exec(version)?.[1] ?? 0);
    return minor >= oldestMinor || toolchain !== "local"
      ? undefined
      : `${version} is too old: Go 1.${oldestMinor} is needed`;
  } catch {
    return "there is no Go toolchain";
  }
};

/** Builds a package main into a file, gently. Rejects with the compiler's output. */
export const goBuild = async (
  module: GoModule,
  options: { readonly package: string; readonly output: string; readonly variables: Readonly<Record<string, string>> },
): Promise<void> => {
  const settings = Object.entries(options.variables).map(([name, value]) => `-X ${name}=${value}`);
  const flags = ["-trimpath", "-buildvcs=false", "-ldflags", ["-s -w", ...settings].join(" ")];
  const child = spawn("go", ["build", ...flags, "-o", options.output, options.package], {
    cwd: pinsOf(module),
    env: environment("readonly"),
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const errors: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`go build ${options.package} failed:\n${Buffer.concat(errors).toString().trim()}`);
};
