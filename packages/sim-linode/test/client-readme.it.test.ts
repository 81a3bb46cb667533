import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLinodeClient as create, filter, linodeFiles, linodeOptions } from "@capstan/linode-client";
import type { DebugEntry, Disk, LinodeClient, LinodeClientOptions, Page } from "@capstan/linode-client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LinodeSimulator } from "../src/index.ts";
import { simulate, type Simulation } from "../src/testing.ts";

/** What the README of the client shows, executed. */
describe("the examples of the client", () => {
  let simulation: Simulation;
  let simulator: LinodeSimulator;
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "client-readme-"));
    simulation = await simulate();
    simulator = simulation.simulator;
  });
  afterEach(async () => {
    await simulation[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  /** Waits by the clock of the simulation. */
  const createLinodeClient = (options: LinodeClientOptions): LinodeClient => {
    const { clock } = simulation;
    const system = { now: () => clock.now(), random: () => 0, sleep: (ms: number) => clock.advance(ms) };
    return create({ ...options, system });
  };

  const key = "ssh-ed25519 AAAA";

  it("make, find and resize an instance", async () => {
    const { url, token } = simulator;
    const { signal } = new AbortController();
    const client = createLinodeClient({ url, token, userAgent: "my-tool/1.0" });
    const node = await client.instances.create({
      region: "us-ord",
      type: "g6-standard-1",
      image: "linode/debian13",
      authorized_keys: [key],
      label: "node-1",
    });
    await client.waitFor.instanceStatus(node.id, "running", { withinMs: 300_000 });
    await client.instances.update(node.id, { tags: ["prod"] });
    const seen: string[] = [];
    const ours = filter.and(filter.contains("label", "node-"), filter.eq("tags", "prod"));
    for await (const { label, status } of client.instances.list.each({ filter: ours })) seen.push(`${label} ${status}`);
    expect(seen).toEqual(["node-1 running"]);
    const poller = await client.eventPoller({ entity: { type: "linode", id: node.id }, action: "linode_resize" });
    await client.instances.resize(node.id, { type: "g6-standard-2" });
    const { status } = await poller.finished({ withinMs: 600_000, signal });
    expect(status).toBe("finished");
    const path = "linode/instances/*/disks";
    const { data } = await client.request<Page<Disk>>({ method: "GET", path, values: [node.id], query: { page: 1 } });
    expect(data.map(({ filesystem }) => filesystem)).toEqual(["ext4", "swap"]);
    expect(simulator.requests.violations).toEqual([]);
    await client.close();
  });

  it("read the environment", async () => {
    await writeFile(join(folder, "linode"), `[default]\ntoken = ${simulator.token}\n`);
    const env = { LINODE_CONFIG: join(folder, "linode"), LINODE_URL: simulator.url, LINODE_DEBUG: "1" };
    const entries: DebugEntry[] = [];
    const textsOf = async ([first = ""]: readonly string[], ca?: string) => ({
      configText: await readFile(first, "utf8"),
      ...(ca === undefined ? {} : { caText: await readFile(ca, "utf8") }),
    });
    const { config, ca } = linodeFiles(env);
    const options = linodeOptions({ env, ...(await textsOf(config, ca)), debug: (entry) => entries.push(entry) });
    const client = createLinodeClient(options);
    expect((await client.account.get()).email).toBe("simulator@example.org");
    expect(entries.map(({ event }) => event)).toEqual(["request", "response"]);
    expect(JSON.stringify(entries)).not.toContain(simulator.token);
    await client.close();
  });
});
