import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import type { Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createLinodeSimulator } from "../src/index.ts";
import type { GuestMachine } from "../src/index.ts";
import { fakeClock, seededRandom } from "@capstan/testing";
import { simulate, smallInstance } from "../src/testing.ts";
import type { Simulation } from "../src/testing.ts";

/** Guests that answer every TCP connection on port 6443 with their name. */
const greeters = () => {
  const servers = new Map<string, Server>();
  const booted: GuestMachine[] = [];
  return {
    booted,
    boot: async (machine: GuestMachine) => {
      booted.push(machine);
      machine.console(`hello from ${machine.name}`);
      const server = createServer((socket) => socket.end(machine.name));
      servers.set(machine.id, server);
      await new Promise<void>((resolve) => {
        server.listen(6443, machine.address, resolve);
      });
    },
    shutdown: async (id: string) => {
      const server = servers.get(id);
      servers.delete(id);
      await new Promise<void>((resolve) => {
        if (server === undefined) resolve();
        else server.close(() => resolve());
      });
    },
  };
};

const ask = (host: string): Promise<string> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host, port: 6443 });
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => resolve("refused"));
    socket.on("close", () => resolve(Buffer.concat(chunks).toString()));
  });

const run = async ({ client, clock, simulator }: Simulation, label: string) => {
  const user_data = Buffer.from("#cloud-config\n").toString("base64");
  const { id } = await client.instances.create({ ...smallInstance, label, metadata: { user_data } });
  await clock.advance(200);
  await client.instances.boot(id);
  await clock.advance(300);
  await clock.settle();
  return simulator.state.instances.find((instance) => instance.id === id)!;
};

const balance = async ({ client }: Simulation) => {
  const balancer = await client.nodeBalancers.create({ region: "us-ord", label: "front" });
  const config = await client.nodeBalancers.createConfig(balancer.id, {
    port: 6443,
    protocol: "tcp",
    algorithm: "roundrobin",
    check: "connection",
  });
  return { balancer, config };
};

describe("guests", () => {
  it("are booted with their metadata and data, and shut down with the instance", async () => {
    const guest = greeters();
    await using simulation = await simulate({ guest });
    const { client, clock, simulator } = simulation;
    const instance = await run(simulation, "node-1");
    expect(guest.booted).toHaveLength(1);
    expect(guest.booted[0]).toMatchObject({
      id: String(instance.id),
      providerID: `linode://${instance.id}`,
      resumed: false,
      address: instance.address,
      userData: "I2Nsb3VkLWNvbmZpZwo=",
      metadata: {
        "instance-id": String(instance.id),
        label: "node-1",
        region: "us-ord",
        type: "g6-standard-1",
        "local-hostname": "node-1",
        "local-ipv4": instance.address,
      },
    });
    expect(simulator.console(instance.id)).toEqual(["hello from node-1"]);
    expect(await ask(instance.address)).toBe("node-1");
    await client.instances.delete(instance.id);
    await clock.advance(100);
    expect(await ask(instance.address)).toBe("refused");
  });
});

describe("NodeBalancers", () => {
  it("forward to the machines that answer, in turn", async () => {
    await using simulation = await simulate({ guest: greeters() });
    const { client, clock } = simulation;
    const { balancer, config } = await balance(simulation);
    expect(await ask(balancer.ipv4)).toBe("");
    const first = await run(simulation, "node-1");
    const second = await run(simulation, "node-2");
    for (const { label, address } of [first, second]) {
      await client.nodeBalancers.createNode(balancer.id, config.id, { label, address: `${address}:6443` });
    }
    const answers = [await ask(balancer.ipv4), await ask(balancer.ipv4)];
    expect(answers.sort()).toEqual(["node-1", "node-2"]);
    await client.instances.delete(first.id);
    await clock.advance(100);
    expect([await ask(balancer.ipv4), await ask(balancer.ipv4)]).toEqual(["node-2", "node-2"]);
    await client.nodeBalancers.delete(balancer.id);
    expect(await ask(balancer.ipv4)).toBe("refused");
  });

  it("skip a machine whose port is closed and report it", async () => {
    const guest = greeters();
    await using simulation = await simulate({ guest });
    const { client } = simulation;
    const { balancer, config } = await balance(simulation);
    const silent = await run(simulation, "node-1");
    const speaking = await run(simulation, "node-2");
    await guest.shutdown(String(silent.id));
    for (const { label, address } of [silent, speaking]) {
      await client.nodeBalancers.createNode(balancer.id, config.id, { label, address: `${address}:6443` });
    }
    expect([await ask(balancer.ipv4), await ask(balancer.ipv4)]).toEqual(["node-2", "node-2"]);
    const nodes = await client.nodeBalancers.listNodes(balancer.id, config.id);
    expect(nodes.map(({ status }) => status)).toEqual(["DOWN", "UP"]);
  });

  it("take private addresses of the account only", async () => {
    await using simulation = await simulate();
    const { balancer, config } = await balance(simulation);
    const call = simulation.client.nodeBalancers.createNode(balancer.id, config.id, {
      label: "node-1",
      address: "192.168.128.5:6443",
    });
    await expect(call).rejects.toMatchObject({ status: 400, errors: [{ field: "address" }] });
  });
});

describe("saved state", () => {
  let folder: string | undefined;
  afterEach(async () => {
    if (folder !== undefined) await rm(folder, { recursive: true });
    folder = undefined;
  });

  it("lets a new simulator go on after the old one was killed", async () => {
    folder = await mkdtemp(join(tmpdir(), "linode-simulator-"));
    const file = join(folder, "state", "linode.json");
    const clock = fakeClock();
    const seed = { buckets: [{ label: "data", region: "us-ord" }], keys: [{ accessKey: "a", secretKey: "s" }] };
    const guest = greeters();
    const left = await (async () => {
      await using simulation = await simulate({ file, clock, guest, seed });
      const { balancer, config } = await balance(simulation);
      const running = await run(simulation, "node-1");
      const { label, address } = running;
      await simulation.client.nodeBalancers.createNode(balancer.id, config.id, { label, address: `${address}:6443` });
      const { id } = await simulation.client.instances.create({ ...smallInstance, label: "node-2" });
      // What is in the file before `stop` is what a killed process leaves behind.
      expect(JSON.parse(await readFile(file, "utf8"))).toEqual(simulation.simulator.state);
      return { balancer, running, provisioning: id };
    })();

    await using simulation = await simulate({ file, clock, guest, seed });
    const { client } = simulation;
    expect((await client.instances.list()).map(({ label, status }) => [label, status])).toEqual([
      ["node-1", "running"],
      ["node-2", "provisioning"],
    ]);
    expect(guest.booted.map(({ name, resumed }) => [name, resumed])).toEqual([
      ["node-1", false],
      ["node-1", true],
    ]);
    await clock.settle();
    expect(await ask(left.balancer.ipv4)).toBe("node-1");
    await clock.advance(200);
    expect((await client.instances.get(left.provisioning)).status).toBe("offline");
    expect(simulation.simulator.state.keys).toHaveLength(1);
    const next = await client.instances.create({ ...smallInstance, label: "node-3" });
    expect(next.id).toBeGreaterThan(left.provisioning);
    expect((await client.instances.addresses(next.id)).ipv4.private[0]?.address).not.toBe(left.running.address);
  });

  it("is refused when it cannot be read", async () => {
    folder = await mkdtemp(join(tmpdir(), "linode-simulator-"));
    const file = join(folder, "linode.json");
    await writeFile(file, "{");
    const opening = createLinodeSimulator({ clock: fakeClock(), random: seededRandom(), file });
    await expect(opening).rejects.toMatchObject({ code: "linode.simulator_state" });
  });

  it("keeps its addresses from others while no simulator runs", async () => {
    folder = await mkdtemp(join(tmpdir(), "linode-simulator-"));
    const file = join(folder, "linode.json");
    const first = await simulate({ file });
    const { block } = first.simulator.state;
    await first[Symbol.asyncDispose]();
    await using other = await simulate({});
    expect(other.simulator.state.block).not.toBe(block);
    await using again = await simulate({ file });
    expect(again.simulator.state.block).toBe(block);
  });

  it("cannot be used by two simulators at once", async () => {
    folder = await mkdtemp(join(tmpdir(), "linode-simulator-"));
    const file = join(folder, "linode.json");
    await using first = await simulate({ file });
    expect(first.simulator.state.block).toBeGreaterThan(0);
    const second = await createLinodeSimulator({ clock: fakeClock(), random: seededRandom(), file });
    await expect(second.start()).rejects.toMatchObject({ code: "linode.simulator_addresses" });
  });
});
