import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@capstan/testing";
import { Agent, request } from "undici";
import { commandEnvironment, commandFlags, requireForm } from "../capstan.ts";
import { cpuMs } from "../process-usage.ts";

export const benchToken = "bench-token";

/** A running API server that is measured. */
export interface Subject {
  readonly name: string;
  readonly url: string;
  readonly pids: readonly number[];
  /** From starting the process to `/readyz`. */
  readonly startMs: number;
  /** CPU time until then. */
  readonly startCpuMs: number;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

const pidOf = ({ pid }: ChildProcess): number => {
  if (pid === undefined) {
    throw new Error("a server process could not be started");
  }
  return pid;
};

const pollMs = 5;

/** Waits until a server says that it is ready; how long that took since `started`. */
const ready = async (url: string, started: number): Promise<number> => {
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  try {
    for (;;) {
      const code = await request(`${url}/readyz`, { dispatcher })
        .then(async ({ statusCode, body }) => (await body.dump(), statusCode))
        .catch(() => 0);
      if (code === 200) {
        return performance.now() - started;
      }
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  } finally {
    await dispatcher.destroy();
  }
};

/** A server does not outlive the bench, however that ends. */
const endWithBench = (child: ChildProcess): void => {
  const kill = (): void => {
    child.kill("SIGKILL");
  };
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
};

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) {
    await once(child, "exit");
  }
};

/** Starts the embedded server in a process of its own, with Node's flags of the command. */
export const startEmbedded = async (options: {
  readonly storage: "memory" | "sqlite";
  readonly profile?: string | undefined;
  readonly built?: boolean;
  readonly audit?: boolean;
}): Promise<Subject> => {
  if (options.built === true) requireForm("built");
  const directory = mkdtempSync(join(tmpdir(), "capstan-bench-"));
  const port = await freePort();
  const url = `https://127.0.0.1:${port}`;
  const profiling = options.profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${options.profile}`];
  const started = performance.now();
  const child = fork(
    join(import.meta.dirname, "embedded.ts"),
    [
      String(port),
      options.storage === "sqlite" ? join(directory, "state.db") : "",
      options.audit === true ? join(directory, "audit.log") : "",
    ],
    {
      env: commandEnvironment,
      execArgv: [
        ...(options.built === true ? [] : ["--conditions=@capstan/source"]),
        ...commandFlags,
        "--expose-gc",
        ...profiling,
      ],
    },
  );
  endWithBench(child);
  const startMs = await ready(url, started);
  const pids = [pidOf(child)];
  return {
    name: `capstan (${options.storage}${options.audit === true ? ", audit log" : ""})`,
    url,
    pids,
    startMs,
    startCpuMs: cpuMs(pids),
    process: child,
    stop: async () => {
      child.send("stop");
      await ended(child);
      rmSync(directory, { recursive: true });
    },
  };
};

const apiServerFlags = (directory: string, port: number, etcdPort: number): readonly string[] => [
  `--etcd-servers=http://127.0.0.1:${etcdPort}`,
  "--bind-address=127.0.0.1",
  `--secure-port=${port}`,
  `--cert-dir=${join(directory, "certificates")}`,
  `--token-auth-file=${join(directory, "tokens.csv")}`,
  "--authorization-mode=RBAC",
  "--service-account-issuer=https://kubernetes.default.svc",
  `--service-account-key-file=${join(directory, "service-accounts.key")}`,
  `--service-account-signing-key-file=${join(directory, "service-accounts.key")}`,
  "--service-cluster-ip-range=10.0.0.0/24",
];

/** Starts a real kube-apiserver and its etcd, both as they come, with the data on the same disk. */
export const startBaseline = async (binaries: string): Promise<Subject> => {
  const directory = mkdtempSync(join(tmpdir(), "capstan-bench-"));
  const [port, etcdPort, peerPort] = [await freePort(), await freePort(), await freePort()];
  const key = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  writeFileSync(join(directory, "service-accounts.key"), key.export({ type: "pkcs8", format: "pem" }));
  writeFileSync(join(directory, "tokens.csv"), `${benchToken},bench,bench,"system:masters"\n`);
  const started = performance.now();
  const etcd = spawn(
    join(binaries, "etcd"),
    [
      `--data-dir=${join(directory, "etcd")}`,
      `--listen-client-urls=http://127.0.0.1:${etcdPort}`,
      `--advertise-client-urls=http://127.0.0.1:${etcdPort}`,
      `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
    ],
    { stdio: "ignore" },
  );
  const server = spawn(join(binaries, "kube-apiserver"), apiServerFlags(directory, port, etcdPort), {
    stdio: "ignore",
  });
  [etcd, server].forEach(endWithBench);
  const url = `https://127.0.0.1:${port}`;
  const startMs = await ready(url, started);
  const pids = [pidOf(server), pidOf(etcd)];
  return {
    name: "kube-apiserver + etcd",
    url,
    pids,
    startMs,
    startCpuMs: cpuMs(pids),
    process: server,
    stop: async () => {
      // Graceful shutdown of a kube-apiserver waits a minute for nothing here.
      server.kill("SIGKILL");
      await ended(server);
      etcd.kill("SIGKILL");
      await ended(etcd);
      rmSync(directory, { recursive: true });
    },
  };
};
