import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ClusterResource } from "@capstan/contract/wire";
import { type Client, connect, createClient, loadKubeconfig } from "@capstan/kube";
import { systemClock } from "@capstan/runtime";
import { apiVersionOf, type KubeObject } from "@capstan/schema";
import { capstan, capstanForms, type CapstanForm } from "./capstan.ts";
import { cpuMs, memoryMiB } from "./process-usage.ts";

const startProcess = (form: CapstanForm, ...args: readonly string[]): ChildProcess => {
  const program = capstan(form);
  return spawn(program.command, [...program.args, ...args], { env: program.env, stdio: ["ignore", "pipe", "inherit"] });
};

const stopProcess = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
};

interface StartFigures {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly rssMiB: number;
}

/** From the start of the process until it has written to a new Cluster, which is the end of its first reconcile. */
const startManager = async (
  form: CapstanForm,
  { client, kubeconfig }: { readonly client: Client; readonly kubeconfig: string },
): Promise<StartFigures> => {
  const key = { namespace: "default", name: "first" };
  await client.create<KubeObject>(ClusterResource, {
    apiVersion: apiVersionOf(ClusterResource),
    kind: "Cluster",
    metadata: key,
    spec: { clusterNetwork: { pods: { cidrBlocks: ["10.1.0.0/16"] } } },
  });
  const startedAt = performance.now();
  const child = startProcess(form, "manager", "--kubeconfig", kubeconfig, "--diagnostics-address", "off", "-o", "json");
  child.stdout?.resume();
  const pid = child.pid ?? 0;
  try {
    for (;;) {
      const { metadata } = await client.get<KubeObject>(ClusterResource, key);
      if ((metadata.finalizers ?? []).length > 0) break;
      if (child.exitCode !== null) throw new Error(`the manager from ${form} ended with ${child.exitCode}`);
      await systemClock.sleep(5);
    }
    const figures = { seconds: (performance.now() - startedAt) / 1000, cpuSeconds: cpuMs([pid]) / 1000 };
    await client.delete(ClusterResource, key);
    while ((await client.find(ClusterResource, key)) !== undefined) await systemClock.sleep(20);
    await systemClock.sleep(10_000);
    return { ...figures, rssMiB: memoryMiB([pid]).now };
  } finally {
    await stopProcess(child);
  }
};

/** CPU and wall time of a command that ends by itself, the fastest of some. */
const timeOf = (
  form: CapstanForm,
  ...args: readonly string[]
): { readonly seconds: number; readonly cpuSeconds: number } => {
  const { command, env, ...program } = capstan(form);
  const runs = Array.from({ length: 5 }, () => {
    const startedAt = performance.now();
    const script = `"$@" > /dev/null && times`;
    const times = execFileSync("sh", ["-c", script, "sh", command, ...program.args, ...args], {
      encoding: "utf8",
      env,
    });
    const children = times.trim().split("\n").at(-1) ?? "";
    const cpu = [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
      (sum, [, m, s]) => sum + 60 * Number(m) + Number(s),
      0,
    );
    return { seconds: (performance.now() - startedAt) / 1000, cpuSeconds: cpu };
  });
  return {
    seconds: Math.min(...runs.map(({ seconds }) => seconds)),
    cpuSeconds: Math.min(...runs.map(({ cpuSeconds: cpu }) => cpu)),
  };
};

const line = (...cells: readonly string[]): void =>
  console.log(cells.map((cell, at) => (at === 0 ? cell.padEnd(10) : cell.padStart(22))).join(""));

/** `npm run bench -- start`: budget P8, for every way in which the command is there. */
export const startBench = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "capstan-start-"));
  const kubeconfig = join(folder, "kubeconfig");
  const args = ["--in-memory", "--data-dir", folder, "--secure-port", "0", "--log-level", "silent"];
  const server = startProcess("sources", "apiserver", ...args, "--write-kubeconfig", kubeconfig, "-o", "json");
  try {
    if (server.stdout !== null) await once(server.stdout, "data");
    server.stdout?.resume();
    const program = capstan("sources");
    execFileSync(program.command, [...program.args, "install", "--kubeconfig", kubeconfig], { env: program.env });
    const connection = connect({ access: await loadKubeconfig({ file: kubeconfig }), clock: systemClock });
    line("", "first reconcile", "CPU until then", "RSS when empty", "--version", "CPU of it");
    for (const form of capstanForms()) {
      const rounds: StartFigures[] = [];
      for (let round = 0; round < 3; round++) {
        rounds.push(await startManager(form, { client: createClient(connection), kubeconfig }));
      }
      const version = timeOf(form, "--version");
      const best = (figure: keyof StartFigures): number => Math.min(...rounds.map((each) => each[figure]));
      line(
        form,
        `${best("seconds").toFixed(2)} s`,
        `${best("cpuSeconds").toFixed(2)} s`,
        `${best("rssMiB").toFixed(0)} MiB`,
        `${version.seconds.toFixed(2)} s`,
        `${version.cpuSeconds.toFixed(2)} s`,
      );
    }
    await connection.close();
  } finally {
    await stopProcess(server);
    rmSync(folder, { recursive: true });
  }
};
