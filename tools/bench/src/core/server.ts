import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseKubeconfig, renderKubeconfig } from "@capstan/pki";
import { type KubeUser, startKubeApiserver } from "@capstan/testing/kube-apiserver";
import { startChild } from "../child-process.ts";
import { AuditLog, auditPolicy } from "./audit.ts";
import { capstan } from "../capstan.ts";
import type { MeasureOptions } from "./options.ts";
import { until } from "./until.ts";

/** Those whose requests are counted. */
const countedGroup = "bench:managers";
const upstreamGroups = ["capi-system", "capi-kubeadm-bootstrap-system", "capi-kubeadm-control-plane-system"].map(
  (name) => `system:serviceaccounts:${name}`,
);

const user = (name: string, ...groups: string[]): KubeUser => ({ name, groups: ["system:masters", ...groups] });

/** By token. */
const users = {
  "bench-token": user("bench"),
  "stand-in-token": user("stand-in"),
  "manager-token": user("manager", countedGroup),
} as const satisfies Readonly<Record<string, KubeUser>>;

/** The API server that managers work on, in processes of its own. */
export interface BenchServer {
  readonly name: string;
  readonly pids: readonly number[];
  readonly audit: AuditLog;
  /** For temporary files of everybody; removed when the server stops. */
  readonly folder: string;
  /** Returns the path of an administrator's kubeconfig; requests of `manager` are counted. */
  kubeconfig(user: "bench" | "stand-in" | "manager"): string;
  stop(): Promise<void>;
}

interface Started {
  readonly pids: readonly number[];
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

interface Files {
  readonly folder: string;
  readonly log: string;
  readonly policy: string;
}

const auditFlags = ({ log, policy }: Files): readonly string[] => [
  `--audit-log-path=${log}`,
  `--audit-policy-file=${policy}`,
  // Never begins a new one.
  "--audit-log-maxsize=1000000",
];

const startEmbedded = async (files: Files, { built }: MeasureOptions, signal: AbortSignal): Promise<Started> => {
  const tokens = join(files.folder, "tokens.csv");
  const kubeconfig = join(files.folder, "admin.kubeconfig");
  const lines = Object.entries(users).map(
    ([token, { name, groups }]) => `${token},${name},${name},"${groups.join()}"\n`,
  );
  writeFileSync(tokens, lines.join(""));
  const program = capstan(built ? "bundle" : "sources");
  const server = await startChild({
    name: "apiserver",
    ...program,
    args: [
      ...program.args,
      "apiserver",
      "--in-memory",
      "--secure-port=0",
      "--output=json",
      "--log-level=warn",
      `--data-dir=${files.folder}`,
      `--token-auth-file=${tokens}`,
      `--write-kubeconfig=${kubeconfig}`,
      ...auditFlags(files),
    ],
    folder: files.folder,
  });
  await until("the API server to be ready", () => server.log().includes('"type":"ready"'), {
    children: [server],
    signal,
  });
  return { pids: [server.pid], kubeconfig: readFileSync(kubeconfig, "utf8"), stop: () => server.stop() };
};

const startReal = async (files: Files, { kubeAssets }: MeasureOptions): Promise<Started> =>
  startKubeApiserver({ assets: kubeAssets, users, moreArguments: { "kube-apiserver": auditFlags(files) } });

/** Starts the server that the options name. */
export const startServer = async (options: MeasureOptions, signal: AbortSignal): Promise<BenchServer> => {
  const folder = mkdtempSync(join(tmpdir(), "capstan-bench-"));
  const files: Files = { folder, log: join(folder, "audit.log"), policy: join(folder, "audit-policy.json") };
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    writeFileSync(files.policy, JSON.stringify(auditPolicy([countedGroup, ...upstreamGroups])));
    const started = await (options.server === "embedded"
      ? startEmbedded(files, options, signal)
      : startReal(files, options));
    const { server, certificateAuthority = "" } = parseKubeconfig(started.kubeconfig);
    return {
      name: options.server === "embedded" ? "embedded API server" : "kube-apiserver and etcd",
      pids: started.pids,
      audit: new AuditLog(files.log),
      folder,
      kubeconfig: (userName) =>
        renderKubeconfig({ server, certificateAuthority, clusterName: "bench", userName, token: `${userName}-token` }),
      stop: async () => {
        await started.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
};
