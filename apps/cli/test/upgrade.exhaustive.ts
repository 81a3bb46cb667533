import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { valueAt } from "@capstan/contract/wire";
import { connect, createClient, loadKubeconfig } from "@capstan/kube";
import { systemClock } from "@capstan/runtime";
import { resource } from "@capstan/schema";
import { afterAll, expect, it } from "vitest";
import { startCommand } from "./command-process.ts";
import { example } from "./test-system.ts";

const Node = resource({ group: "", version: "v1", kind: "Node", plural: "nodes", namespaced: false });
const folder = mkdtempSync(join(tmpdir(), "capstan-upgrade-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const given = "${KUBERNETES_VERSION:=v1.35.4}";

it("a new version in a file that up watches reaches the Nodes of the workers, and no other", async () => {
  const file = join(folder, "cluster.yaml");
  const manifest = readFileSync(example, "utf8").replace("replicas: 3", "replicas: 1");
  writeFileSync(file, manifest);
  await using up = startCommand([
    "up",
    "--simulate",
    "linode",
    "--watch",
    "-f",
    file,
    "--data-dir",
    join(folder, "data"),
  ]);
  const { path } = await up.until(({ type, cluster }) => type === "kubeconfig" && cluster === "orchid");
  const connection = connect({ access: await loadKubeconfig({ file: String(path) }), clock: systemClock });
  try {
    const client = createClient(connection);
    const versions = async (): Promise<readonly string[]> =>
      (await client.list(Node)).items
        .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
        .map((node) => String(valueAt(node, "status.nodeInfo.kubeletVersion")))
        .toSorted();
    await expect.poll(versions).toEqual(["v1.35.4", "v1.35.4"]);
    const workers = manifest.lastIndexOf(given);
    expect(manifest.indexOf(given), "the control plane has a version of its own").toBeLessThan(workers);
    writeFileSync(file, `${manifest.slice(0, workers)}v1.35.5${manifest.slice(workers + given.length)}`);
    await expect.poll(versions, { timeout: 150_000, interval: 1000 }).toEqual(["v1.35.4", "v1.35.5"]);
  } finally {
    await connection.close();
  }
  expect(await up.stop()).toBe(0);
}, 200_000);
