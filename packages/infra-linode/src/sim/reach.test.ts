import { describe, expect, it } from "vitest";
import { reachPublic } from "./reach.ts";
import { linodeState, type SimulatorState, type StoredDomain, type StoredInstance } from "./state.ts";

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
