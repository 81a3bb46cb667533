import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, CapstanError } from "@capstan/contract";
import type { CertificateAndKey } from "@capstan/pki";
import { systemClock } from "@capstan/runtime";
import { freePort } from "../free-port.ts";
import { type CredentialFiles, type Credentials, type KubeUser, writeCredentials } from "./credentials.ts";
import { type Program, programFailed, startProgram } from "./program.ts";

export type { KubeUser } from "./credentials.ts";

export interface KubeApiserverOptions {
  /**
   * Folder with `etcd` and `kube-apiserver`, and `kube-controller-manager` when controllers are wanted: what other tools
   * call KUBEBUILDER_ASSETS.
   */
  readonly assets: string;
  /** Run kube-controller-manager: garbage collection, namespaces, service accounts. Default: when the folder has it. */
  readonly controllers?: boolean;
  /** Bearer tokens and the users they stand for. Default none: the kubeconfig has a client certificate. */
  readonly users?: Readonly<Record<string, KubeUser>>;
  /** Arguments after the launcher's own, per program. */
  readonly moreArguments?: Readonly<Partial<Record<ProgramName, readonly string[]>>>;
  /** Time that every program has to become ready, in milliseconds. Default 120 000. */
  readonly readyWithinMs?: number;
}

type ProgramName = "etcd" | "kube-apiserver" | "kube-controller-manager";

/** A running Kubernetes API server on the loopback. */
export interface KubeApiserver {
  readonly url: string;
  /** Process ids of etcd, kube-apiserver and, where it runs, kube-controller-manager. */
  readonly pids: readonly number[];
  /** Signed the serving certificate, and signs client certificates that the server trusts. */
  readonly certificateAuthority: CertificateAndKey;
  /** Kubeconfig of a user in group system:masters. */
  readonly kubeconfig: string;
  /** Ends the programs and removes their data. */
  stop(): Promise<void>;
}

const etcdArguments = (data: string, clients: string, peers: string): readonly string[] => [
  `--data-dir=${data}`,
  `--listen-client-urls=${clients}`,
  `--advertise-client-urls=${clients}`,
  `--listen-peer-urls=${peers}`,
  `--initial-advertise-peer-urls=${peers}`,
  `--initial-cluster=default=${peers}`,
  "--unsafe-no-fsync",
  "--log-level=warn",
];

const serverArguments = (files: CredentialFiles, etcd: string, port: number): readonly string[] => [
  `--etcd-servers=${etcd}`,
  "--bind-address=127.0.0.1",
  "--advertise-address=127.0.0.1",
  "--endpoint-reconciler-type=none",
  `--secure-port=${port}`,
  `--tls-cert-file=${files.serving}`,
  `--tls-private-key-file=${files.servingKey}`,
  `--client-ca-file=${files.ca}`,
  `--token-auth-file=${files.tokens}`,
  "--enable-bootstrap-token-auth",
  "--authorization-mode=Node,RBAC",
  "--enable-admission-plugins=NodeRestriction",
  "--service-cluster-ip-range=10.0.0.0/24",
  "--service-account-issuer=https://kubernetes.default.svc.cluster.local",
  `--service-account-key-file=${files.serviceAccountPublicKey}`,
  `--service-account-signing-key-file=${files.serviceAccountKey}`,
];

const controllerArguments = (files: CredentialFiles): readonly string[] => [
  `--kubeconfig=${files.kubeconfig}`,
  "--controllers=*,bootstrapsigner,tokencleaner",
  "--leader-elect=false",
  "--use-service-account-credentials",
  `--root-ca-file=${files.ca}`,
  `--cluster-signing-cert-file=${files.ca}`,
  `--cluster-signing-key-file=${files.caKey}`,
  `--service-account-private-key-file=${files.serviceAccountKey}`,
  "--secure-port=0",
];

/** Returns whether `GET url` answers 200 to the administrator. */
const answers = (url: string, { ca, admin }: Credentials): Promise<boolean> =>
  new Promise((resolve) => {
    const trust = { ca: ca.certificate, cert: admin.certificate, key: admin.key };
    const asked = request(url, { ...trust, agent: false, timeout: 5_000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asked.once("timeout", () => asked.destroy());
    asked.once("error", () => resolve(false));
    asked.end();
  });

/** Asks until the answer is yes. Throws when one of the programs ends, or when time is up. */
const untilReady = async (programs: readonly Program[], ready: () => Promise<boolean>, clock: Clock, end: number) => {
  while (!(await ready())) {
    const dead = programs.find(({ ended }) => ended !== undefined);
    if (dead !== undefined) {
      throw programFailed(`${dead.name} ended with ${dead.ended} before all was ready:\n${dead.logTail()}`);
    }
    if (clock.now() > end) {
      const last = programs.at(-1) as Program;
      throw programFailed(`${last.name} is not ready in time:\n${last.logTail()}`);
    }
    await clock.sleep(100);
  }
};

const wanted = ({ assets, controllers }: KubeApiserverOptions): readonly ProgramName[] => {
  const has = (name: ProgramName): boolean => existsSync(join(assets, name));
  const withControllers = controllers ?? has("kube-controller-manager");
  const names = ["etcd", "kube-apiserver", ...(withControllers ? ["kube-controller-manager"] : [])] as ProgramName[];
  const missing = names.filter((name) => !has(name));
  if (missing.length > 0) {
    throw new CapstanError({
      code: "testing.assets_missing",
      reason: "AssetsMissing",
      message: `${assets} has no ${missing.join(", ")}: give a folder with the programs of a Kubernetes release and etcd`,
      retry: { kind: "never" },
    });
  }
  return names;
};

/**
 * Starts etcd and kube-apiserver, and kube-controller-manager when wanted, with data and certificates in a temporary folder.
 * Resolves when requests are answered. Throws `testing.assets_missing` or, with the end of its output, `testing.program_failed`.
 */
export const startKubeApiserver = async (options: KubeApiserverOptions): Promise<KubeApiserver> => {
  const { assets, readyWithinMs = 120_000, moreArguments = {} } = options;
  const clock = systemClock;
  const names = wanted(options);
  const directory = mkdtempSync(join(tmpdir(), "capstan-kube-apiserver-"));
  const running: Program[] = [];
  const stop = async (): Promise<void> => {
    for (const program of running.toReversed()) await program.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  const start = async (name: ProgramName, args: readonly string[]): Promise<void> => {
    const all = [...args, ...(moreArguments[name] ?? [])];
    running.push(await startProgram({ name, assets, directory, clock, args: all }));
  };
  try {
    const end = clock.now() + readyWithinMs;
    const [client, peer, secure] = [await freePort(), await freePort(), await freePort()];
    const url = `https://127.0.0.1:${secure}`;
    const etcd = `http://127.0.0.1:${client}`;
    const credentials = await writeCredentials(directory, url, options.users ?? {}, clock.now());
    const until = (path: string) => untilReady(running, () => answers(url + path, credentials), clock, end);
    await start("etcd", etcdArguments(join(directory, "etcd"), etcd, `http://127.0.0.1:${peer}`));
    await start("kube-apiserver", serverArguments(credentials.files, etcd, secure));
    await until("/readyz");
    if (names.includes("kube-controller-manager")) {
      await start("kube-controller-manager", controllerArguments(credentials.files));
      await until("/api/v1/namespaces/default/serviceaccounts/default");
    }
    const pids = running.map(({ pid }) => pid);
    return { url, pids, certificateAuthority: credentials.ca, kubeconfig: credentials.kubeconfig, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
