import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { example, startTestSystem } from "./test-system.ts";

it("a provider is given the address and the token of the simulated cloud, for manifests that name neither", async () => {
  const [comment = "", ...documents] = readFileSync(example, "utf8").split("\n---\n");
  expect(comment).toContain("LINODE_URL");
  const manifest = documents.join("\n---\n").replace("  credentialsRef:\n    name: orchid-credentials\n", "");
  expect(manifest).not.toContain("orchid-credentials");
  await using system = await startTestSystem(manifest);
  await system.untilRunning();
  expect(system.simulator.requests.violations).toEqual([]);
  expect(system.simulator.state.instances).toHaveLength(4);
});
