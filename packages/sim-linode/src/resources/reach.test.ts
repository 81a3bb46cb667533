import { describe, expect, it } from "vitest";
import { reachFrom, reachPublic } from "./reach.ts";
import { linodeState, type SimulatorState, type StoredDomain, type StoredInstance } from "../state.ts";

const instance = (host: number, status: StoredInstance["status"]): StoredInstance =>
  ({
    publicIp: `198.18.0.${host}`,
    slaac: `2001:db8::f03c:${host}`,
    extraIps: [],
    linodeInterfaces: [],
    generation: "legacy_config",
    address: `127.40.0.${host}`,
    status,
  }) as unknown as StoredInstance;

const record = (type: string, name: string, target: string) => ({ type, name, target });

const zone = (domain: string, ...records: readonly ReturnType<typeof record>[]): StoredDomain =>
  ({ domain, records }) as unknown as StoredDomain;

const state: SimulatorState = {
  ...(linodeState.empty() as SimulatorState),
  block: 40,
  instances: [instance(5, "booting"), instance(6, "running")],
  domains: [
    zone(
      "example.com",
      record("TXT", "prod", "prod"),
      record("A", "prod", "198.18.0.5"),
      record("AAAA", "prod", "2001:db8::f03c:6"),
      record("A", "", "198.18.0.5"),
      record("A", "balanced", "127.40.0.9"),
      record("A", "away", "192.0.2.1"),
    ),
  ],
  edgeZones: [
    {
      zone: "example.net",
      recordsets: [
        { name: "prod.example.net", type: "AAAA", ttl: 30, rdata: ["2001:0db8:0000:0000:0000:0000:f03c:0006"] },
      ],
    },
  ],
};

describe("reachPublic", () => {
  it.each([
    ["198.18.0.5", "127.40.0.5"],
    ["2001:db8::f03c:6", "127.40.0.6"],
    ["198.18.0.9", undefined],
    ["192.0.2.1", undefined],
    ["PROD.example.com", "127.40.0.6"],
    ["example.com", "127.40.0.5"],
    ["balanced.example.com", "127.40.0.9"],
    ["prod.example.net", "127.40.0.6"],
    ["away.example.com", "127.40.0.1"],
    ["other.example.com", "127.40.0.1"],
    ["other.example.org", undefined],
    ["notexample.com", undefined],
  ])("of %s is %s", (host, address) => {
    expect(reachPublic(host, state)).toBe(address);
  });
});

describe("reachFrom", () => {
  const inVpc = (host: number, vpc_id: number): StoredInstance => {
    const vpc = { vpc_id, subnet_id: 1, ipv4: { addresses: [{ address: `10.0.0.${host}`, nat_1_1_address: null }] } };
    return { ...instance(host, "running"), configs: [], linodeInterfaces: [{ id: host, vpc }] };
  };
  const [own, near, far] = [inVpc(2, 1), inVpc(3, 1), inVpc(4, 2)];
  const all = { ...state, instances: [own, near, far] };

  it.each([
    ["10.0.0.3", "127.40.0.3"],
    ["10.0.0.4", undefined],
    ["198.18.0.4", "127.40.0.4"],
  ])("leads %s to %s", (host, address) => {
    expect(reachFrom(own, host, all)).toBe(address);
  });
});
