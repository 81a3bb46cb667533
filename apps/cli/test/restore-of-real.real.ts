import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startKubeApiserver } from "@capstan/testing/kube-apiserver";
import { afterAll, expect, it } from "vitest";
import { decodeBackup } from "../src/backup/backup-file.ts";
import { backUp, restoreBackup } from "../src/backup/run-backup.ts";
import { assets, backupEnvironment } from "./real-backups.ts";

const folder = mkdtempSync(join(tmpdir(), "capstan-restore-of-real-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { environment, said } = backupEnvironment();

const kubeconfigOf = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
};

it("restores the backup of a real API server with what that made by itself", async ({ skip }) => {
  if (assets === "") return skip("KUBEBUILDER_ASSETS names no folder with etcd and kube-apiserver");
  const output = join(folder, "real.backup");
  const first = await startKubeApiserver({ assets });
  try {
    const kubeconfig = kubeconfigOf("first", first.kubeconfig);
    await backUp({ output, dataDir: "", kubeconfig, logLevel: "silent" }, environment);
  } finally {
    await first.stop();
  }
  const { entries } = decodeBackup(readFileSync(output), output);
  expect(entries.map(({ plural }) => plural)).toContain("prioritylevelconfigurations");
  const to = { file: output, merge: false, force: false, newUids: false, logLevel: "silent" } as const;
  await restoreBackup({ ...to, dataDir: join(folder, "folder"), kubeconfig: undefined }, environment);
  const second = await startKubeApiserver({ assets });
  try {
    const kubeconfig = kubeconfigOf("second", second.kubeconfig);
    await restoreBackup({ ...to, dataDir: "", kubeconfig }, environment);
  } finally {
    await second.stop();
  }
  expect(said.filter((line) => line.startsWith("restored "))).toHaveLength(2);
  expect(said.filter((line) => line.includes("refused"))).toEqual([]);
});
