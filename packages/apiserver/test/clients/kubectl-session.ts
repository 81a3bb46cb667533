import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import type { ApiServer } from "../../src/index.ts";
import { type Api, createApi } from "../conformance/api.ts";
import { startTarget } from "../embedded-server.ts";

const directories = [process.env["KUBEBUILDER_ASSETS"] ?? "", ...(process.env["PATH"] ?? "").split(delimiter)];

/** The real command; undefined where there is none. */
export const kubectlBinary = directories
  .filter((directory) => directory !== "")
  .map((directory) => join(directory, "kubectl"))
  .find((path) => existsSync(path));

/** What a finished command has said. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that continues by itself. */
export interface RunningCommand {
  /** Resolves once the output matches. */
  says(pattern: RegExp): Promise<string>;
  stop(): void;
}

/** A server and the real kubectl with only its kubeconfig. */
export interface KubectlSession {
  readonly server: ApiServer;
  readonly api: Api;
  /** Standard output; rejects when the command fails. */
  readonly kubectl: (...words: readonly string[]) => Promise<string>;
  /** As `kubectl`, also when it fails. */
  readonly attempt: (...words: readonly string[]) => Promise<Outcome>;
  readonly follow: (...words: readonly string[]) => RunningCommand;
  /** Writes a file; answers its path. */
  readonly file: (name: string, content: string) => string;
  readonly stop: () => Promise<void>;
}

const run = promisify(execFile);

const following = (child: ChildProcess): RunningCommand => {
  let seen = "";
  const listeners = new Set<() => void>();
  child.stdout?.on("data", (chunk: Buffer) => {
    seen += chunk.toString();
    for (const listener of listeners) listener();
  });
  return {
    says: (pattern) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (pattern.test(seen)) {
            listeners.delete(look);
            resolve(seen);
          }
        };
        listeners.add(look);
        look();
      }),
    stop: () => child.kill(),
  };
};

/** Starts a server in this process. */
export const startSession = async (): Promise<KubectlSession> => {
  const directory = mkdtempSync(join(tmpdir(), "capstan-kubectl-"));
  const { server, target } = await startTarget();
  const api = createApi(target);
  const file: KubectlSession["file"] = (name, content) => {
    const path = join(directory, name);
    writeFileSync(path, content);
    return path;
  };
  const kubeconfig = file("kubeconfig", await server.adminKubeconfig());
  const env = { KUBECONFIG: kubeconfig, HOME: directory, PATH: "/usr/bin:/bin", LC_ALL: "C" };
  const attempt: KubectlSession["attempt"] = async (...words) => {
    try {
      return { code: 0, ...(await run(kubectlBinary as string, words, { env })) };
    } catch (error) {
      const { code, stdout, stderr } = error as Outcome;
      return { code, stdout, stderr };
    }
  };
  return {
    server,
    api,
    attempt,
    file,
    kubectl: async (...words) => {
      const { code, stdout, stderr } = await attempt(...words);
      if (code !== 0) throw new Error(`kubectl ${words.join(" ")}: ${stderr}${stdout}`);
      return stdout;
    },
    follow: (...words) => following(spawn(kubectlBinary as string, words, { env })),
    stop: async () => {
      await api.close();
      await server.stop();
      rmSync(directory, { recursive: true });
    },
  };
};
