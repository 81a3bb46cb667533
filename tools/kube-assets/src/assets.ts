import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { goBuild } from "./go.ts";
import type { Program, Target } from "./targets.ts";

const progressMs = 30_000;

/** Where programs are kept, for this user: `$XDG_CACHE_HOME` or `~/.cache`. */
export const cacheFolder = (target: Target): string => {
  const cache = process.env["XDG_CACHE_HOME"] ?? "";
  return join(cache === "" ? join(homedir(), ".cache") : cache, "capstan", "kube-assets", target.folder);
};

export type Build = (program: Program, output: string) => Promise<void>;

const buildWithGo: Build = ({ module, package: path, variables = {} }, output) =>
  goBuild(module, { package: path, output, variables });

/**
 * Builds what is missing of a target's programs into `folder`. A program appears there when it is complete: it is built in a folder
 * beside, which is removed at the end.
 */
export const buildAssets = async (options: {
  readonly target: Target;
  readonly folder: string;
  /** Names of programs; default all. */
  readonly only?: readonly string[];
  readonly say: (line: string) => void;
  readonly build?: Build;
}): Promise<void> => {
  const { target, folder, only, say, build = buildWithGo } = options;
  const wanted = target.programs.filter(({ name }) => only === undefined || only.includes(name));
  const missing = wanted.filter(({ name }) => !existsSync(join(folder, name)));
  if (missing.length === 0) return;
  const scratch = join(folder, `.building-${process.pid}`);
  mkdirSync(scratch, { recursive: true });
  say(`building ${missing.map(({ name }) => name).join(", ")} (${target.description}) into ${folder}`);
  try {
    for (const program of missing) {
      const start = performance.now();
      const seconds = (): number => Math.round((performance.now() - start) / 1000);
      const progress = setInterval(() => say(`${program.name}: still building, ${seconds()} s`), progressMs);
      try {
        await build(program, join(scratch, program.name));
      } finally {
        clearInterval(progress);
      }
      renameSync(join(scratch, program.name), join(folder, program.name));
      say(`${program.name}: built in ${seconds()} s`);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};
