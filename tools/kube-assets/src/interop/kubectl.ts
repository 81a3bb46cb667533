import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KubeObject } from "@capstan/schema";
import { stringify } from "yaml";
import { runProgram } from "./program.ts";

/** A port of loopback that is forwarded. */
export interface ForwardedPort {
  readonly port: number;
  stop(): Promise<void>;
}

/** kubectl as an administrator. */
export interface Kubectl {
  /** The executable. */
  readonly program: string;
  /** The kubeconfig's file. */
  readonly kubeconfigFile: string;
  /** Its output. Throws what it printed when it fails. */
  run(args: readonly string[], input?: string): Promise<string>;
  /** Forwards a free port of loopback to a port of a Pod until it is stopped. Throws what kubectl printed when it ends before. */
  forward(pod: { readonly namespace: string; readonly name: string; readonly port: number }): Promise<ForwardedPort>;
  /** Server-side apply. `dryRun`: everybody who checks is asked, and nothing is stored. */
  apply(objects: readonly KubeObject[], options?: { readonly dryRun?: boolean }): Promise<void>;
}

/** The kubectl in `assets`, with this kubeconfig; `folder` is its home. */
export const createKubectl = (assets: string, kubeconfig: string, folder: string): Kubectl => {
  const program = join(assets, "kubectl");
  const file = join(folder, "kubeconfig");
  writeFileSync(file, kubeconfig, { mode: 0o600 });
  const env = { KUBECONFIG: file, HOME: folder };
  const run = (args: readonly string[], input?: string): Promise<string> =>
    runProgram(program, args, { env, ...(input !== undefined && { input }) });
  return {
    program,
    kubeconfigFile: file,
    run,
    forward: async ({ namespace, name, port }) => {
      const child = spawn(program, ["port-forward", "-n", namespace, name, `:${port}`, "--address", "127.0.0.1"], {
        env,
      });
      const ended = once(child, "exit");
      const local = Promise.withResolvers<number>();
      let said = "";
      const hear = (text: Buffer): void => {
        said += text.toString();
        const [, found] = /Forwarding from 127\.0\.0\.1:(\d+)/.exec(said) ?? [];
        if (found !== undefined) local.resolve(Number(found));
      };
      child.stdout.on("data", hear);
      child.stderr.on("data", hear);
      ended.then(() => local.reject(new Error(`kubectl port-forward has ended: ${said}`)), local.reject);
      return {
        port: await local.promise,
        stop: async () => {
          child.kill();
          await ended;
        },
      };
    },
    apply: async (objects, { dryRun = false } = {}) => {
      const manifest = objects.map((object) => stringify(object)).join("---\n");
      await run(["apply", "--server-side", ...(dryRun ? ["--dry-run=server"] : []), "-f", "-"], manifest);
    },
  };
};
