import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Secret, silentLogger } from "@capstan/contract";
import type { GuestMachineV1, SimulationOutsideV1 } from "@capstan/contract/v1";
import { fakeClock, seededRandom } from "@capstan/testing";
import { afterAll, expect, it } from "vitest";
import { httpAcmeApi } from "../src/cloud/http-acme-api.ts";
import { createAcmeSimulator, createSimulation } from "../src/sim.ts";

const folder = mkdtempSync(join(tmpdir(), "acme-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const clock = fakeClock();
const random = seededRandom(process.pid);

const start = async (booted: GuestMachineV1[] = []) => {
  const outside: SimulationOutsideV1 = {
    clock,
    random,
    log: silentLogger,
    folder: () => folder,
    port: async () => 0,
    guest: () => ({ boot: (machine) => void booted.push(machine), shutdown: () => undefined }),
    seed: () => undefined,
  };
  const simulation = await createSimulation(outside);
  await simulation.start();
  const { endpoint, token } = simulation.cloud;
  if (token === undefined) throw new Error("a simulated account has a token");
  return { simulation, api: httpAcmeApi({ clock, random, log: silentLogger, endpoint, token }) };
};

it("boots servers, hands their user-data to the guest, and goes on after a restart", async () => {
  const booted: GuestMachineV1[] = [];
  const { simulation, api } = await start(booted);
  const server = { name: "web-1", labels: [], tag: "t", size: "small", userData: "aGVsbG8=" };
  const { id } = await api.createServer(server, {});
  await clock.advanceUntil(() => booted.length > 0, { stepMs: 50 });
  expect(booted[0]).toMatchObject({ id, name: "web-1", userData: "aGVsbG8=", providerID: `acme://${id}` });
  await simulation.stop();

  const again = await start();
  expect(await again.api.servers({})).toMatchObject([{ id, state: "running" }]);
  await again.api.deleteServer(id, {});
  await clock.advanceUntil(async () => (await again.api.servers({})).length === 0, { stepMs: 50 });
  await again.api.deleteServer(id, {});
  await again.simulation.stop();
});

it.each([
  [401, { code: "acme.unauthorized" }],
  [402, { code: "acme.quota_exceeded", retry: { kind: "after", ms: 300_000 } }],
  [422, { code: "acme.invalid", message: expect.stringContaining("planned") }],
])("an answer of %d is a failure with a code", async (status, expected) => {
  const simulator = await createAcmeSimulator({ clock, random });
  await simulator.start();
  simulator.api.faults.add({ method: "GET", path: "/servers", action: { kind: "status", status, reason: "planned" } });
  const token = new Secret(simulator.token);
  const api = httpAcmeApi({ clock, random, log: silentLogger, endpoint: simulator.api.url, token });
  await expect(api.servers({})).rejects.toMatchObject(expected);
  await simulator.stop();
});
