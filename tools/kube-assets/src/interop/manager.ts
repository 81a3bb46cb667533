import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RunningManager, startProcess } from "./process.ts";

/** Environment of a manager in a Pod. */
export interface PodEnvironment {
  readonly namespace: string;
  /** Token of its ServiceAccount. */
  readonly token: string;
  /** Certificate authority of the API server, PEM. */
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

/** Shows the files of the ServiceAccount where a Pod has them; only this process and its children see it. */
const asInPod =
  'mount -t tmpfs tmpfs /run && mkdir -p /run/secrets/kubernetes.io && cp -r "$0" /run/secrets/kubernetes.io/serviceaccount && exec "$@"';

/** Starts a manager of upstream's as in a Pod: it finds the server, its token and its namespace by itself. Needs root. */
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
  const { hostname, port } = new URL(pod.serverUrl);
  return startProcess({
    name,
    folder,
    command: "unshare",
    args: ["--mount", "sh", "-c", asInPod, secrets, options.program, ...options.args],
    env: {
      ...process.env,
      KUBERNETES_SERVICE_HOST: hostname,
      KUBERNETES_SERVICE_PORT: port,
      POD_NAMESPACE: pod.namespace,
      POD_NAME: name,
      POD_UID: name,
      KUBECONFIG: "",
    },
    isError: /^[EF]\d{4} |^panic:/,
  });
};
