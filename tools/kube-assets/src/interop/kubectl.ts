import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KubeObject } from "@capstan/schema";
import { stringify } from "yaml";
import { runProgram } from "./program.ts";

/** kubectl as an administrator. */
export interface Kubectl {
  /** The executable. */
  readonly program: string;
  /** The kubeconfig's file. */
  readonly kubeconfigFile: string;
  /** Its output. Throws what it printed when it fails. */
  run(args: readonly string[], input?: string): Promise<string>;
  /** Server-side apply. `dryRun`: everybody who checks is asked, and nothing is stored. */
  apply(objects: readonly KubeObject[], options?: { readonly dryRun?: boolean }): Promise<void>;
}

/** The kubectl in `assets`, with this kubeconfig; `folder` is its home. */
export const createKubectl = (assets: string, kubeconfig: string, folder: string): Kubectl => {
  const program = join(assets, "kubectl");
  const file = join(folder, "kubeconfig");
  writeFileSync(file, kubeconfig, { mode: 0o600 });
  const run = (args: readonly string[], input?: string): Promise<string> =>
    runProgram(program, args, { env: { KUBECONFIG: file, HOME: folder }, ...(input !== undefined && { input }) });
  return {
    program,
    kubeconfigFile: file,
    run,
    apply: async (objects, { dryRun = false } = {}) => {
      const manifest = objects.map((object) => stringify(object)).join("---\n");
      await run(["apply", "--server-side", ...(dryRun ? ["--dry-run=server"] : []), "-f", "-"], manifest);
    },
  };
};
