import { describe, expect, it } from "vitest";
import { broadcastSources, ownAddresses } from "./broadcast-routes.ts";

const info = (cidr: string, more: object = {}) => ({
  address: cidr.split("/")[0]!,
  cidr,
  netmask: "",
  mac: "",
  internal: false,
  family: "IPv4" as const,
  ...more,
});

it("addresses of this computer are those of IPv4 that are not loopback", () => {
  const interfaces = {
    lo: [info("127.0.0.1/8", { internal: true })],
    eth0: [info("192.0.2.10/24"), { ...info("fe80::1/64"), family: "IPv6" as const, scopeid: 2 }],
    eth1: [info("10.0.0.1/16")],
    gone: undefined,
  };
  expect(ownAddresses(interfaces)).toEqual([
    { address: "192.0.2.10", prefix: 24 },
    { address: "10.0.0.1", prefix: 16 },
  ]);
});

describe("a broadcast", () => {
  const all = [
    { address: "192.0.2.10", prefix: 24 },
    { address: "10.0.0.1", prefix: 16 },
    { address: "10.0.0.2", prefix: 16 },
  ];

  it.each([
    ["10.0.7.9", ["10.0.0.1"]],
    ["192.0.2.77", ["192.0.2.10"]],
    ["203.0.113.1", ["192.0.2.10", "10.0.0.1"]],
    ["", ["192.0.2.10", "10.0.0.1"]],
  ])("to the client %j is sent from %j", (client, sources) => {
    expect(broadcastSources(all, client)).toEqual(sources);
  });

  it("is sent from nowhere without an interface", () => {
    expect(broadcastSources([], "10.0.0.5")).toEqual([]);
  });
});
