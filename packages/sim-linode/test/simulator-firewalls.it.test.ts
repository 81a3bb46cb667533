import { connect, createServer, type Server } from "node:net";
import type { GuestCloudV1, GuestWayV1 } from "@capstan/contract/v1";
import type { FirewallRule, FirewallRules } from "@capstan/linode-client";
import { describe, expect, it } from "vitest";
import { simulate, smallInstance } from "../src/testing.ts";

const resolver = { port: 53, protocol: "UDP" } as const;

const open: FirewallRules = { inbound: [], outbound: [], inbound_policy: "ACCEPT", outbound_policy: "ACCEPT" };

const rule = (action: "ACCEPT" | "DROP", ports: string, ...ipv4: readonly string[]): FirewallRule => ({
  action,
  protocol: "TCP",
  ports,
  label: "rule",
  addresses: { ipv4 },
});

/** A NodeBalancer with port 6443 before one of two machines that run, and who may connect to whom. */
const scene = async () => {
  let cloud: GuestCloudV1 | undefined;
  const guest = { boot: () => undefined, shutdown: () => undefined, connect: (each: GuestCloudV1) => (cloud = each) };
  const simulation = await simulate({ guest });
  const { client, clock, simulator } = simulation;
  const make = async (label: string) => (await client.instances.create({ ...smallInstance, label, booted: true })).id;
  const [control, worker] = [await make("control"), await make("worker")];
  await clock.advance(1000);
  const addressOf = (id: number) => simulator.state.instances.find((each) => each.id === id)?.address ?? "";
  const from = addressOf(control);
  const nodes = [{ label: "control", address: `${from}:6443` }];
  const { id: balancer, ipv4 } = await client.nodeBalancers.create({
    region: "us-ord",
    label: "api",
    configs: [{ port: 6443, protocol: "tcp", nodes }],
  });
  const server = createServer((socket) => socket.end("hello"));
  await new Promise<void>((resolve) => void server.listen(6443, from, resolve));
  return {
    simulation,
    server,
    /** Puts a firewall before a machine or a NodeBalancer. */
    guard: async (devices: { linodes?: number[]; nodebalancers?: number[] }, rules: Partial<FirewallRules>) => {
      await client.firewalls.create({ label: `fw-${simulator.state.nextId}`, rules: { ...open, ...rules }, devices });
    },
    control,
    worker,
    balancer,
    /** Returns whether one of the machines gets to a host, at port 443 over TCP unless it says otherwise. */
    reaches: (to: string, more: Partial<GuestWayV1> = {}, id = worker) =>
      cloud?.passes?.({ from: addressOf(id), to, port: 443, ...more }),
    ipv4: ipv4 ?? "",
    addressOf,
    /** What the port of the NodeBalancer says. */
    ask: () => answerOf(ipv4 ?? ""),
    passes: (port: number, way: "there" | "back" = "there") => {
      const [one, other] = way === "there" ? [control, worker] : [worker, control];
      return cloud?.passes?.({ from: addressOf(one), to: addressOf(other), port });
    },
  };
};

const answerOf = (host: string): Promise<string> =>
  new Promise((resolve) => {
    let text = "";
    const socket = connect({ host, port: 6443 });
    socket.on("data", (data) => (text += String(data)));
    socket.on("error", () => undefined).on("close", () => resolve(text));
  });

const stop = (server: Server): Promise<void> => new Promise((resolve) => void server.close(() => resolve()));

describe("a firewall before the machine behind a NodeBalancer", () => {
  it.each([
    ["lets through what nothing forbids", {}, "hello"],
    [
      "lets NodeBalancers through by their network",
      { inbound_policy: "DROP", inbound: [rule("ACCEPT", "6443", "192.168.255.0/24")] },
      "hello",
    ],
    [
      "lets through a range of ports",
      { inbound_policy: "DROP", inbound: [rule("ACCEPT", "22, 6000-7000", "0.0.0.0/0")] },
      "hello",
    ],
    ["drops the port by its policy", { inbound_policy: "DROP", inbound: [rule("ACCEPT", "10250", "0.0.0.0/0")] }, ""],
    [
      "drops the port by a rule before others",
      { inbound: [rule("DROP", "6443", "192.168.0.0/16"), rule("ACCEPT", "6443", "0.0.0.0/0")] },
      "",
    ],
    ["does not mind others", { inbound: [rule("DROP", "6443", "10.0.0.0/8")] }, "hello"],
  ] as const)("%s", async (_case, rules, answer) => {
    const { ask, control, guard, server, simulation } = await scene();
    await using _simulation = simulation;
    await guard({ linodes: [control] }, rules);
    expect(await ask()).toBe(answer);
    await stop(server);
  });

  it("counts again as soon as it is changed", async () => {
    const { ask, control, guard, server, simulation } = await scene();
    await using _simulation = simulation;
    await guard({ linodes: [control] }, { inbound_policy: "DROP" });
    expect(await ask()).toBe("");
    const [firewall] = await simulation.client.firewalls.list();
    await simulation.client.firewalls.updateRules(firewall?.id ?? 0, open);
    expect(await ask()).toBe("hello");
    await stop(server);
  });
});

describe("a firewall before a NodeBalancer", () => {
  it.each([
    ["shuts its ports", { inbound_policy: "DROP" }, ""],
    [
      "lets in whom its rules name",
      { inbound_policy: "DROP", inbound: [rule("ACCEPT", "6443", "203.0.113.7/32")] },
      "hello",
    ],
  ] as const)("%s", async (_case, rules, answer) => {
    const { ask, balancer, guard, server, simulation } = await scene();
    await using _simulation = simulation;
    await guard({ nodebalancers: [balancer] }, rules);
    expect(await ask()).toBe(answer);
    await stop(server);
  });
});

describe("firewalls between machines", () => {
  it("stop what comes in and what goes out, by private addresses", async () => {
    const { control, guard, passes, server, simulation, worker } = await scene();
    await using _simulation = simulation;
    expect(passes(10_250)).toBe(true);
    await guard(
      { linodes: [worker] },
      { inbound_policy: "DROP", inbound: [rule("ACCEPT", "10250", "192.168.128.0/17")] },
    );
    expect([passes(10_250), passes(22)]).toEqual([true, false]);
    await guard({ linodes: [control] }, { outbound: [rule("DROP", "10250", "0.0.0.0/0")] });
    expect([passes(10_250), passes(6443, "back")]).toEqual([false, true]);
    await stop(server);
  });
});

describe("firewalls before what machines send out", () => {
  it("let out what no rule forbids", async () => {
    const { addressOf, control, ipv4, reaches, server, simulation } = await scene();
    await using _simulation = simulation;
    expect([
      reaches("pkgs.k8s.io"),
      reaches("resolver", resolver),
      reaches(ipv4, { port: 6443 }),
      reaches(addressOf(control), { port: 6443 }),
    ]).toEqual([true, true, true, true]);
    await stop(server);
  });

  it("drop by their policy what no rule lets out, questions to the resolver too", async () => {
    const { addressOf, control, guard, ipv4, reaches, server, simulation, worker } = await scene();
    await using _simulation = simulation;
    await guard({ linodes: [worker] }, { outbound_policy: "DROP", outbound: [rule("ACCEPT", "6443", "0.0.0.0/0")] });
    expect([
      reaches("pkgs.k8s.io"),
      reaches("resolver", resolver),
      reaches(ipv4, { port: 6443 }),
      reaches(addressOf(control), { port: 6443 }),
      reaches(addressOf(control), { port: 22 }),
    ]).toEqual([false, false, true, true, false]);
    await guard(
      { linodes: [control] },
      { outbound_policy: "DROP", outbound: [{ ...rule("ACCEPT", "53", "0.0.0.0/0"), protocol: "UDP" }] },
    );
    expect([reaches("pkgs.k8s.io", {}, control), reaches("resolver", resolver, control)]).toEqual([false, true]);
    await stop(server);
  });

  it("of a NodeBalancer drop what machines send there", async () => {
    const { balancer, guard, ipv4, reaches, server, simulation } = await scene();
    await using _simulation = simulation;
    await guard({ nodebalancers: [balancer] }, { inbound_policy: "DROP" });
    expect([reaches(ipv4, { port: 6443 }), reaches("pkgs.k8s.io")]).toEqual([false, true]);
    await stop(server);
  });
});

describe("machines in VPCs", () => {
  it("reach each other in one VPC, and neither those of another nor the internet unless something leads there", async () => {
    const { addressOf, control, ipv4, reaches, server, simulation } = await scene();
    await using _simulation = simulation;
    const { client, clock, simulator } = simulation;
    const vpc = async (label: string) =>
      client.vpcs.create({ region: "us-ord", label, subnets: [{ label: "nodes", ipv4: "10.0.0.0/24" }] });
    const make = async (label: string, subnet_id: number, nat = false) => {
      const vpcInterface = { purpose: "vpc", subnet_id, ...(nat && { ipv4: { nat_1_1: "any" } }) } as const;
      const { id } = await client.instances.create({
        ...smallInstance,
        label,
        booted: true,
        private_ip: false,
        interfaces: [vpcInterface],
      });
      return id;
    };
    const [one, other] = [await vpc("one"), await vpc("other")];
    const [first, second, far] = [
      await make("first", one.subnets[0]?.id ?? 0),
      await make("second", one.subnets[0]?.id ?? 0, true),
      await make("far", other.subnets[0]?.id ?? 0),
    ];
    await clock.advance(1000);
    expect([
      reaches(addressOf(second), {}, first),
      reaches(addressOf(far), {}, first),
      reaches(addressOf(control), {}, first),
      reaches("pkgs.k8s.io", {}, first),
      reaches("resolver", resolver, first),
      reaches(ipv4, { port: 6443 }, first),
    ]).toEqual([true, false, false, false, false, false]);
    expect([
      reaches("pkgs.k8s.io", {}, second),
      reaches(ipv4, { port: 6443 }, second),
      reaches("10.9.9.9", {}, second),
    ]).toEqual([true, true, false]);
    const inVpc = simulator.state.instances.find(({ id }) => id === second)?.configs[0]?.interfaces[0]?.ipv4?.vpc ?? "";
    expect([reaches(inVpc, {}, first), reaches(inVpc, {}, control)]).toEqual([true, false]);
    await stop(server);
  });
});
