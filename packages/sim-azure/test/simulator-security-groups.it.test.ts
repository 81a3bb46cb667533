import { connect, createServer } from "node:net";
import type { GuestCloudV1 } from "@capstan/contract/v1";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeVm } from "./cluster-machine.ts";
import { allowApiServer, at, idOf, inEastUs, makeNetwork } from "./cluster-network.ts";
import { type SimulatedAzure, simulate } from "./simulation.ts";

let azure: SimulatedAzure;
let cloud: GuestCloudV1;
let control: string;
let worker: string;

const loopbackOf = (name: string): string =>
  azure.simulator.state.resources.find((each) => each.name === name)?.machine?.loopback ?? "";

beforeAll(async () => {
  const guest = { boot: () => undefined, shutdown: () => undefined, connect: (each: GuestCloudV1) => (cloud = each) };
  azure = await simulate({ guest });
  await makeNetwork(azure);
  const pool = { id: idOf(azure, "loadBalancers/demo-lb/backendAddressPools/back") };
  await makeVm(azure, "control", { card: { loadBalancerBackendAddressPools: [pool] } });
  await makeVm(azure, "worker");
  [control, worker] = [loopbackOf("control"), loopbackOf("worker")];
});
afterAll(() => azure[Symbol.asyncDispose]());

const rule = (priority: number, access: "Allow" | "Deny", change: object = {}) => ({
  name: `rule-${priority}`,
  properties: { ...allowApiServer.properties, priority, access, ...change },
});

const setRules = (...securityRules: readonly object[]) =>
  azure.settle("PUT", at("networkSecurityGroups/demo-nsg"), { body: inEastUs({ securityRules }) });

/** What the API server behind the load balancer says; nothing where no connection gets there. */
const ask = async (): Promise<string> => {
  const server = createServer((socket) => socket.end("hello"));
  await new Promise<void>((resolve) => void server.listen(6443, control, resolve));
  const { fqdn } = (await azure.call("GET", at("publicIPAddresses/demo-api"))).body.properties.dnsSettings;
  const said = await new Promise<string>((resolve) => {
    let text = "";
    const socket = connect({ host: fqdn, port: 6443 });
    socket.on("data", (data) => (text += String(data)));
    socket.on("error", () => undefined).on("close", () => resolve(text));
  });
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  return said;
};

describe("a network security group", () => {
  it.each([
    ["lets in from the internet only what a rule allows", [], ""],
    ["lets in what a rule allows", [rule(200, "Allow")], "hello"],
    ["lets in whom a rule names", [rule(200, "Allow", { sourceAddressPrefix: "203.0.113.0/24" })], "hello"],
    ["asks the rule of the lowest number first", [rule(100, "Deny"), rule(200, "Allow")], ""],
    ["minds ranges of ports", [rule(200, "Allow", { destinationPortRange: "6000-7000" })], "hello"],
    [
      "minds rules of the other direction nowhere",
      [rule(200, "Allow"), rule(100, "Deny", { direction: "Outbound" })],
      "hello",
    ],
    ["minds rules of other protocols nowhere", [rule(200, "Allow"), rule(100, "Deny", { protocol: "Udp" })], "hello"],
  ] as const)("%s", async (_case, rules, answer) => {
    await setRules(...rules);
    expect(await ask()).toBe(answer);
  });

  it("lets machines of one network reach each other, unless a rule says otherwise", async () => {
    const passes = (port: number) => cloud.passes?.({ from: control, to: worker, port });
    await setRules();
    expect([passes(10_250), passes(22)]).toEqual([true, true]);
    await setRules(rule(100, "Deny", { destinationPortRange: "10250", sourceAddressPrefix: "VirtualNetwork" }));
    expect([passes(10_250), passes(22)]).toEqual([false, true]);
    await setRules(rule(100, "Deny", { destinationPortRange: "22", direction: "Outbound" }));
    expect([passes(10_250), passes(22)]).toEqual([true, false]);
  });

  it("lets machines out to the internet and to load balancers, unless a rule says otherwise", async () => {
    const out = (from: string, to: string, port = 443) => cloud.passes?.({ from, to, port });
    await setRules();
    expect([out(worker, "pkgs.k8s.io"), out(control, "pkgs.k8s.io")]).toEqual([true, true]);
    await setRules(
      rule(100, "Deny", { direction: "Outbound", destinationPortRange: "*", destinationAddressPrefix: "Internet" }),
    );
    expect([
      out(worker, "pkgs.k8s.io"),
      out(control, "203.0.113.9"),
      out(worker, control, 6443),
      cloud.passes?.({ from: worker, to: "resolver", port: 53, protocol: "UDP" }),
    ]).toEqual([false, false, true, true]);
    const { fqdn } = (await azure.call("GET", at("publicIPAddresses/demo-api"))).body.properties.dnsSettings;
    expect(out(worker, fqdn, 6443)).toBe(false);
    await setRules();
  });

  it("is not all: networks are apart, and machines without a way out stay in theirs", async () => {
    const out = (from: string, to = "pkgs.k8s.io") => cloud.passes?.({ from, to, port: 443 });
    const subnets = [
      { name: "nodes", properties: { addressPrefix: "10.9.0.0/24" } },
      { name: "closed", properties: { addressPrefix: "10.9.1.0/24", defaultOutboundAccess: false } },
    ];
    const far = idOf(azure, "virtualNetworks/far-vnet/subnets");
    await azure.settle("PUT", at("virtualNetworks/far-vnet"), {
      body: inEastUs({ addressSpace: { addressPrefixes: ["10.9.0.0/16"] }, subnets }),
    });
    await makeVm(azure, "far", { card: { subnet: { id: `${far}/nodes` } } });
    await makeVm(azure, "closed", { card: { subnet: { id: `${far}/closed` } } });
    expect([
      out(loopbackOf("far")),
      out(loopbackOf("far"), worker),
      out(worker, loopbackOf("far")),
      out(worker, "10.9.0.4"),
    ]).toEqual([true, false, false, false]);
    expect([
      out(loopbackOf("closed")),
      out(loopbackOf("closed"), loopbackOf("far")),
      out(loopbackOf("closed"), "10.9.0.4"),
    ]).toEqual([false, true, true]);
    const routes = [{ name: "nowhere", properties: { addressPrefix: "0.0.0.0/0", nextHopType: "None" } }];
    await azure.settle("PUT", at("routeTables/demo-routes"), { body: inEastUs({ routes }) });
    expect([out(worker), out(worker, control)]).toEqual([false, true]);
    await azure.settle("PUT", at("routeTables/demo-routes"), { body: inEastUs({ routes: [] }) });
  });
});
