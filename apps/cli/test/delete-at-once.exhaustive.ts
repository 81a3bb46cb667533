import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startAzureSystem } from "./azure-system.ts";
import { deleteNeededFirst } from "./delete-at-once.ts";
import { example, startTestSystem } from "./test-system.ts";

const quickstart = readFileSync(join(import.meta.dirname, "../../../examples/azure/quickstart.yaml"), "utf8");

it("a cluster at Azure goes, with its resource group, although everything that its removal needs is deleted first", async () => {
  await using system = await startAzureSystem(quickstart);
  await system.untilRunning();
  await deleteNeededFirst(system, quickstart);
  const ids = system.simulator.state.resources.map(({ id }) => id);
  expect(ids.filter((id) => !system.foreign.includes(id))).toEqual([]);
});

it("a cluster at Linode goes, with all its servers, although everything that its removal needs is deleted first", async () => {
  const manifest = readFileSync(example, "utf8");
  await using system = await startTestSystem(manifest);
  await system.untilRunning();
  expect(system.simulator.state.instances.length).toBeGreaterThan(0);
  await deleteNeededFirst(system, manifest);
  expect(system.simulator.state.instances).toEqual([]);
});
