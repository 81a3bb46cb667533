import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@capstan/contract";
import type { GuestMachineV1, SimulationOutsideV1 } from "@capstan/contract/v1";
import { createLinodeClient } from "@capstan/linode-client";
import { fakeClock, freePort, seededRandom } from "@capstan/testing";
import { afterAll, expect, it } from "vitest";
import { createSimulation } from "../src/index.ts";
import { smallInstance } from "../src/testing.ts";

const folder = mkdtempSync(join(tmpdir(), "capstan-linode-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const clock = fakeClock();

const outside = (given: Partial<SimulationOutsideV1> = {}): SimulationOutsideV1 => ({
  clock,
  random: seededRandom(process.pid),
  log: silentLogger,
  folder: () => undefined,
  port: async () => 0,
  guest: () => ({ boot: () => undefined, shutdown: () => undefined }),
  seed: () => undefined,
  ...given,
});

it("says where it is, what its clients need, and how providers reach it", async () => {
  const ports = {
    linode: await freePort(),
    "linode-object-storage": await freePort(),
    "linode-edge-dns": await freePort(),
  };
  const simulation = await createSimulation(outside({ port: async (name) => ports[name as keyof typeof ports] }));
  await simulation.start();
  const [api, store, edge] = Object.values(ports).map((port) => `http://127.0.0.1:${port}`);
  expect(simulation).toMatchObject({
    contract: "v1",
    name: "linode",
    urls: { linode: api, "linode-object-storage": store, "linode-edge-dns": edge },
    variables: { LINODE_URL: api, OBJECT_STORE_ENDPOINT: store, AWS_ENDPOINT_URL_S3: store, AKAMAI_HOST: edge },
  });
  expect(simulation.description).toContain(api);
  const { endpoint, token } = simulation.cloud;
  expect(endpoint).toBe(api);
  expect(token?.reveal()).toBe(simulation.variables["LINODE_TOKEN"]);
  const client = createLinodeClient({ url: endpoint, token: token?.reveal() ?? "" });
  expect(await client.instances.list()).toEqual([]);
  await client.close();
  await simulation.stop();
});

it("plays the inside of machines by the guest it is given, and goes on with what its folder keeps", async () => {
  const booted: GuestMachineV1[] = [];
  const given = outside({
    folder: () => folder,
    guest: () => ({ boot: (machine) => void booted.push(machine), shutdown: () => undefined }),
    seed: (name) => ({ buckets: [{ label: `${name}-backups`, region: "us-east" }], domains: ["example.com"] }),
  });
  const first = await createSimulation(given);
  await first.start();
  const client = createLinodeClient({ url: first.cloud.endpoint, token: first.simulator.token });
  await client.instances.create({ ...smallInstance, booted: true });
  await clock.advanceUntil(() => booted.length > 0, { stepMs: 50 });
  expect(booted[0]).toMatchObject({ name: "node-1", metadata: { label: "node-1" } });
  await client.close();
  await first.stop();
  expect(readFileSync(join(folder, "account.json"), "utf8")).toContain("node-1");
  const second = await createSimulation(given);
  expect(second.simulator.state.instances.map(({ label }) => label)).toEqual(["node-1"]);
  expect(second.simulator.state.buckets.map(({ label }) => label)).toEqual(["capstan-bootstrap", "linode-backups"]);
  expect(second.simulator.state.domains.map(({ domain }) => domain)).toEqual(["capstan.test", "example.com"]);
  expect(second.simulator.state.edgeZones.map(({ zone }) => zone)).toEqual(["capstan.test"]);
});

it("takes the token that its seed names", async () => {
  const simulation = await createSimulation(outside({ seed: () => ({ token: "mine" }) }));
  expect(simulation.simulator.token).toBe("mine");
  expect(simulation.variables).toMatchObject({ LINODE_TOKEN: "mine" });
});

it.each([
  [[], "must be an object"],
  [{ bucket: [] }, "account: bucket is not a field"],
  [{ edgeZones: ["no zone"] }, "account: edgeZones.0"],
  [{ keys: [{ accessKey: "a" }] }, "account: keys.0.secretKey secretKey is required"],
])("refuses the seed %j", async (seed, words) => {
  await expect(createSimulation(outside({ seed: () => seed }))).rejects.toMatchObject({
    code: "linode.simulator_seed",
    message: expect.stringContaining(words),
  });
});
