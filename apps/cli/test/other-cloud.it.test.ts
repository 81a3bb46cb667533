import { silentLogger } from "@capstan/contract";
import { apiVersionOf } from "@capstan/schema";
import { ClusterResource } from "@capstan/contract/wire";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { afterAll, expect, it } from "vitest";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDataFolder, silentView, simulatedLinode, startSystem, type RunningSystem } from "../src/embedded-up.ts";

const folder = mkdtempSync(join(tmpdir(), "capstan-other-cloud-"));
afterAll(() => rmSync(folder, { recursive: true }));

const start = (simulate: readonly string[]): Promise<RunningSystem> =>
  startSystem(
    { ...simulatedLinode([]), inMemory: false, simulate },
    {
      clock: systemClock,
      random: cryptoRandom,
      log: silentLogger,
      view: silentView,
      data: openDataFolder(folder, { temporary: false }),
      variables: () => undefined,
    },
  );

it("a folder with clusters of a simulated cloud is not taken to the real one, one without is", async () => {
  for (const simulate of [["linode"], [], ["linode"]]) await (await start(simulate)).stop();
  const system = await start(["linode"]);
  await system.client.create(ClusterResource, {
    apiVersion: apiVersionOf(ClusterResource),
    kind: "Cluster",
    metadata: { name: "orchid", namespace: "default" },
    spec: {
      paused: true,
      infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "LinodeCluster", name: "orchid" },
    },
  });
  await system.stop();
  for (const _ of [1, 2]) {
    await expect(start([])).rejects.toThrow(
      /its clusters, such as orchid, are in a simulated cloud; add --simulate linode/,
    );
  }
  await (await start(["linode"])).stop();
});
