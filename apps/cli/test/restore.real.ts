import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@capstan/contract";
import { createSimulation } from "@capstan/sim-linode";
import { recentClock, seededRandom } from "@capstan/testing";
import { startKubeApiserver } from "@capstan/testing/kube-apiserver";
import { afterAll, expect, it } from "vitest";
import { decodeBackup, type Backup } from "../src/backup/backup-file.ts";
import { backUp, restoreBackup } from "../src/backup/run-backup.ts";
import { openDataFolder, silentView, simulatedLinode, startSystem } from "../src/embedded-up.ts";
import { assets, backupEnvironment } from "./real-backups.ts";

const example = join(import.meta.dirname, "../../../examples/linode/large-bootstrap.yaml");
const folder = mkdtempSync(join(tmpdir(), "capstan-restore-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { environment, said } = backupEnvironment();

const backupOf = async (name: string, kubeconfig: string): Promise<string> => {
  const output = join(folder, name);
  await backUp({ output, dataDir: "", kubeconfig, logLevel: "silent" }, environment);
  return output;
};

const read = (file: string): Backup => decodeBackup(readFileSync(file), file);

/** The backup of an embedded server whose Machines run on the simulated Linode. */
const runningSystem = async (): Promise<string> => {
  const dataDir = join(folder, "embedded");
  const clock = recentClock();
  const started = startSystem(
    { ...simulatedLinode([example]), inMemory: false, dataDir },
    {
      clock,
      random: seededRandom(7),
      log: silentLogger,
      view: silentView,
      data: openDataFolder(dataDir, { temporary: false }),
      variables: () => undefined,
      simulations: { linode: createSimulation },
    },
  );
  let isOver = false;
  void started.catch(() => undefined).finally(() => (isOver = true));
  await clock.advanceUntil(() => isOver, { stepMs: 50 });
  const system = await started;
  await clock.advanceUntil(() => system.progress.verdict().running, { stepMs: 100, maxMs: 600_000 });
  const file = await backupOf("embedded.backup", system.kubeconfig);
  await system.stop();
  return file;
};

it("restores what an embedded server held at a real API server, with new uids, status and owners", async ({ skip }) => {
  if (assets === "") return skip("KUBEBUILDER_ASSETS names no folder with etcd and kube-apiserver");
  const file = await runningSystem();
  const real = await startKubeApiserver({ assets });
  try {
    const kubeconfig = join(folder, "kubeconfig");
    writeFileSync(kubeconfig, real.kubeconfig, { mode: 0o600 });
    const to = { dataDir: "", kubeconfig, merge: false, force: false, newUids: false, logLevel: "silent" } as const;
    await restoreBackup({ file, ...to }, environment);
    expect(said).toContainEqual(expect.stringMatching(/^restored \d+ objects with new uids/));
    const [before, after] = [read(file), read(await backupOf("real.backup", kubeconfig))];
    const keyOf = ({ plural, object: { metadata } }: Backup["entries"][number]): string =>
      [plural, metadata.namespace, metadata.name].join(" ");
    const there = new Map(after.entries.map((entry) => [keyOf(entry), entry.object]));
    const uids = new Set(after.entries.map(({ object }) => object.metadata.uid));
    const own = before.entries.filter(({ object }) => object.apiVersion.includes("cluster.x-k8s.io/"));
    expect(own.length).toBeGreaterThan(10);
    for (const entry of own) {
      const restored = there.get(keyOf(entry));
      expect(restored?.["status"], keyOf(entry)).toEqual(entry.object["status"]);
      expect(restored?.metadata.finalizers, keyOf(entry)).toEqual(entry.object.metadata.finalizers);
      expect(restored?.metadata.uid).not.toBe(entry.object.metadata.uid);
      const owners = restored?.metadata.ownerReferences ?? [];
      expect(owners).toHaveLength(entry.object.metadata.ownerReferences?.length ?? 0);
      for (const { uid } of owners) expect(uids.has(uid), keyOf(entry)).toBe(true);
    }
  } finally {
    await real.stop();
  }
});
