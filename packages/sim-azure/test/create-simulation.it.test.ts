import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@capstan/contract";
import type { SimulationOutsideV1 } from "@capstan/contract/v1";
import { fakeClock, freePort, seededRandom } from "@capstan/testing";
import { afterAll, expect, it } from "vitest";
import { createSimulation } from "../src/index.ts";

const folder = mkdtempSync(join(tmpdir(), "capstan-azure-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const outside = (given: Partial<SimulationOutsideV1> = {}): SimulationOutsideV1 => ({
  clock: fakeClock(),
  random: seededRandom(process.pid),
  log: silentLogger,
  folder: () => undefined,
  port: async () => 0,
  guest: () => ({ boot: () => undefined, shutdown: () => undefined }),
  seed: () => undefined,
  ...given,
});

it("says where it is, what its clients need, and how providers reach it", async () => {
  const ports = { azure: await freePort(), "azure-blobs": await freePort() };
  const simulation = await createSimulation(outside({ port: async (name) => ports[name as keyof typeof ports] }));
  await simulation.start();
  const [arm, blobs] = [`https://localhost:${ports.azure}`, `http://127.0.0.1:${ports["azure-blobs"]}`];
  expect(simulation).toMatchObject({
    contract: "v1",
    name: "azure",
    urls: { azure: arm, "azure-blobs": blobs },
    control: `${arm}/_simulator`,
    cloud: { endpoint: arm, ca: expect.stringContaining("BEGIN CERTIFICATE") as string },
    variables: {
      AZURE_AUTHORITY_HOST: arm,
      AZURE_RESOURCE_MANAGER_ENDPOINT: arm,
      AZURE_STORAGE_ENDPOINT: `${blobs}/capstansimulated`,
      resourceManager: arm,
      clientSecret: simulation.variables["AZURE_CLIENT_SECRET"],
    },
  });
  const caFile = simulation.variables["caFile"] ?? "";
  expect(readFileSync(caFile, "utf8")).toBe(simulation.cloud.ca);
  await simulation.stop();
  expect(existsSync(caFile)).toBe(false);
});

it("goes on with what its folder keeps, and is trusted as before", async () => {
  const given = outside({
    folder: () => folder,
    seed: () => ({
      storageAccounts: [{ name: "mine", key: "a2V5", containers: ["backups"] }],
      quotas: { cores: 10 },
      capacity: { Standard_D2s_v3: 3 },
    }),
  });
  const first = await createSimulation(given);
  await first.start();
  first.simulator.state.groups.push({ name: "g", location: "eastus", tags: undefined, state: "Succeeded" });
  const { ca } = first.cloud;
  await first.stop();
  const second = await createSimulation(given);
  await second.start();
  expect(second.cloud.ca).toBe(ca);
  expect(second.simulator.state.groups.map(({ name }) => name)).toEqual(["capz-ci", "g"]);
  expect(second.simulator.state.storageAccounts.map(({ name }) => name)).toEqual(["capstansimulated", "mine"]);
  await second.stop();
});

it.each([
  [[], "must be an object"],
  [{ image: [] }, "subscription: image is not a field"],
  [{ quotas: { cores: "many" } }, "quotas.cores must be an integer"],
  [{ capacity: { Standard_D2s_v3: "few" } }, "capacity.Standard_D2s_v3 must be an integer"],
  [{ policies: [{ vmSizes: ["Standard_D2s_v3"] }] }, "policies.0.name name is required"],
  [{ policies: [{ name: "sizes", sizes: [] }] }, "policies.0.sizes is not a field"],
  [{ storageAccounts: [{ name: "MINE", key: "k" }] }, "storageAccounts.0.name"],
])("refuses the seed %j", async (seed, words) => {
  await expect(createSimulation(outside({ seed: () => seed }))).rejects.toMatchObject({
    code: "azure.simulator_seed",
    message: expect.stringContaining(words),
  });
});
