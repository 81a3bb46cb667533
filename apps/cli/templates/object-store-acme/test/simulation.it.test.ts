import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@capstan/contract";
import type { SimulationOutsideV1 } from "@capstan/contract/v1";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { afterAll, expect, it } from "vitest";
import { createObjectStore } from "../src/index.ts";
import { createSimulation } from "../src/sim.ts";

const folder = mkdtempSync(join(tmpdir(), "acme-store-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const given = { clock: systemClock, random: cryptoRandom, log: silentLogger };

it("opens what the example's Secret says, and goes on after a restart", async () => {
  const outside: SimulationOutsideV1 = {
    ...given,
    folder: () => folder,
    port: async () => 0,
    guest: () => ({ boot: () => undefined, shutdown: () => undefined }),
    seed: () => undefined,
  };
  const opener = createObjectStore({ ...given, variable: () => undefined, simulated: () => undefined });
  const run = async () => {
    const simulation = await createSimulation(outside);
    await simulation.start();
    const { ACME_STORE_BUCKET: bucket = "", ACME_STORE_ENDPOINT: endpoint = "" } = simulation.variables;
    const { ACME_STORE_ACCESS: access = "", ACME_STORE_SECRET: secret = "" } = simulation.variables;
    return { simulation, store: opener.open({ bucket, endpoint, access, secret }) };
  };
  const first = await run();
  await first.store.put("boot", Buffer.from("hello"));
  await first.simulation.stop();
  const second = await run();
  const { url } = await second.store.signGet("boot", { expiresInSeconds: 60 });
  expect(await (await fetch(url)).text()).toBe("hello");
  await second.simulation.stop();
});
