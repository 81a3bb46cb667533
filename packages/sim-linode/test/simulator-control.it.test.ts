import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { simulate, smallInstance } from "../src/testing.ts";
import type { Simulation } from "../src/testing.ts";

const control = async ({ simulator }: Simulation, path: string, body?: unknown): Promise<unknown> => {
  const call = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(`${simulator.url}/_simulator/${path}`, call);
  expect(answer.ok).toBe(true);
  return answer.json();
};

it("shows what the API was asked, without what is secret", async () => {
  await using simulation = await simulate();
  const { client } = simulation;
  await client.instances.create({ ...smallInstance, root_pass: "very-secret", metadata: { user_data: "aHVzaA==" } });
  const shown = await control(simulation, "requests?since=0");
  expect(shown).toMatchObject({
    next: 1,
    items: [
      {
        method: "POST",
        path: "linode/instances",
        family: "POST linode/instances",
        status: 200,
        body: { region: "us-ord", label: "node-1", root_pass: "[redacted]", metadata: { user_data: "[redacted]" } },
      },
    ],
  });
});

it("hands out its state, with which another simulator begins", async () => {
  const folder = await mkdtemp(join(tmpdir(), "linode-snapshot-"));
  try {
    const file = join(folder, "account.json");
    let later: string;
    {
      await using first = await simulate();
      await first.client.instances.create(smallInstance);
      const snapshot = await control(first, "snapshot");
      expect(snapshot).toEqual(JSON.parse(JSON.stringify(first.simulator.state)));
      await writeFile(file, JSON.stringify(snapshot));
      later = (await first.client.instances.create({ ...smallInstance, label: "node-2" })).label;
    }
    await using second = await simulate({ file });
    const labels = (await second.client.instances.list()).map(({ label }) => label);
    expect(labels).toEqual(["node-1"]);
    expect(labels).not.toContain(later);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it("plans faults of the API and of the object storage", async () => {
  await using simulation = await simulate();
  const { client, simulator } = simulation;
  await control(simulation, "faults", { script: "POST /linode/instances 503 x3" });
  await control(simulation, "faults?service=object-storage", { action: { kind: "status", status: 500 } });
  for (const _ of [1, 2, 3]) {
    await expect(client.instances.create(smallInstance)).rejects.toMatchObject({ status: 503 });
  }
  await client.instances.create(smallInstance);
  expect((await fetch(`${simulator.objectStorage.url}/data/key`)).status).toBe(500);
  expect(await control(simulation, "faults")).toEqual({ items: [] });
  expect(await control(simulation, "requests?service=object-storage")).toMatchObject({ next: 1 });
});

it("keeps an instance from booting inside", async () => {
  const booted: string[] = [];
  const guest = { boot: ({ name }: { readonly name: string }) => void booted.push(name), shutdown: () => undefined };
  await using simulation = await simulate({ guest });
  const { client, clock } = simulation;
  await control(simulation, "guests", { machine: "node-1", boot: "never" });
  for (const label of ["node-1", "node-2"]) await client.instances.create({ ...smallInstance, label, booted: true });
  await clock.advance(500);
  expect(booted).toEqual(["node-2"]);
  expect(await control(simulation, "guests")).toMatchObject({
    machines: [
      { name: "node-1", power: "running" },
      { name: "node-2", power: "running" },
    ],
  });
});
