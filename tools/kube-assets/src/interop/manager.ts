import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What a Pod's manager is given. */
export interface PodEnvironment {
  readonly namespace: string;
  /** Token of its ServiceAccount. */
  readonly token: string;
  /** Of the API server, PEM. */
  readonly caCertificate: string;
  readonly serverUrl: string;
}

export interface ManagerOptions {
  readonly name: string;
  /** The executable. */
  readonly program: string;
  readonly args: readonly string[];
  readonly pod: PodEnvironment;
  /** For its log and the files of its Pod. */
  readonly folder: string;
}

export interface RunningManager {
  readonly name: string;
  log(): string;
  /** Lines of the log that say error. */
  errors(): readonly string[];
  readonly ended: boolean;
  stop(): Promise<void>;
}

/** Shows the files of the ServiceAccount where a Pod has them; only this process and its children see it. */
const asInPod =
  'mount -t tmpfs tmpfs /run && mkdir -p /run/secrets/kubernetes.io && cp -r "$0" /run/secrets/kubernetes.io/serviceaccount && exec "$@"';

/** Starts a manager as in a Pod: it finds the server, its token and its namespace by itself. Needs root. */
export const startManager = (options: ManagerOptions): RunningManager => {
  const { name, folder, pod } = options;
  const secrets = join(folder, name);
  mkdirSync(secrets, { recursive: true });
  for (const [file, text] of [
    ["token", pod.token],
    ["ca.crt", pod.caCertificate],
    ["namespace", pod.namespace],
  ] as const) {
    writeFileSync(join(secrets, file), text);
  }
  const log = join(folder, `${name}.log`);
  const output = openSync(log, "a");
  const { hostname, port } = new URL(pod.serverUrl);
  const child: ChildProcess = spawn(
    "unshare",
    ["--mount", "sh", "-c", asInPod, secrets, options.program, ...options.args],
    {
      stdio: ["ignore", output, output],
      env: {
        ...process.env,
        KUBERNETES_SERVICE_HOST: hostname,
        KUBERNETES_SERVICE_PORT: port,
        POD_NAMESPACE: pod.namespace,
        POD_NAME: name,
        POD_UID: name,
        KUBECONFIG: "",
      },
    },
  );
  closeSync(output);
  const ended = once(child, "exit");
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  return {
    name,
    log: () => readFileSync(log, "utf8"),
    errors: () =>
      readFileSync(log, "utf8")
        .split("\n")
        .filter((line) => /^[EF]\d{4} |^panic:/.test(line)),
    get ended() {
      return child.exitCode !== null || child.signalCode !== null;
    },
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
      process.removeListener("exit", kill);
    },
  };
};
