import type { InstanceAddress, InstanceAddresses } from "@capstan/linode-client";
import { describe, expect, it } from "vitest";
import { machineAddresses } from "./addresses.ts";

const at = (address: string): InstanceAddress => ({
  address,
  type: "ipv4",
  public: true,
  prefix: 24,
  region: "us-ord",
  linode_id: 1,
  gateway: null,
  subnet_mask: "",
  rdns: null,
});
const vpc = (address: string | null) => ({
  address,
  address_range: null,
  subnet_id: 1,
  vpc_id: 1,
  linode_id: 1,
  nat_1_1: null,
  active: true,
});

const addresses = (
  ipv4: Partial<InstanceAddresses["ipv4"]>,
  ipv6: Partial<NonNullable<InstanceAddresses["ipv6"]>> = {},
): InstanceAddresses => ({
  ipv4: { public: [], private: [], shared: [], reserved: [], ...ipv4 },
  ipv6: { slaac: null, link_local: null, global: [], ...ipv6 },
});

const text = (found: ReturnType<typeof machineAddresses>) => found.map(({ type, address }) => `${type} ${address}`);

describe("machineAddresses", () => {
  it("puts public before VPC, VPC before IPv6, VLAN before private", () => {
    const all = addresses(
      { public: [at("192.0.2.1"), at("192.0.2.2")], private: [at("192.168.128.5")], vpc: [vpc("10.0.0.2")] },
      { slaac: at("2001:db8::1") },
    );
    expect(text(machineAddresses(all, ["10.9.0.1/11"]))).toEqual([
      "ExternalIP 192.0.2.1",
      "ExternalIP 192.0.2.2",
      "InternalIP 10.0.0.2",
      "ExternalIP 2001:db8::1",
      "InternalIP 10.9.0.1",
      "InternalIP 192.168.128.5",
    ]);
  });

  it("leaves out what is not there", () => {
    expect(text(machineAddresses(addresses({ public: [at("192.0.2.1")], vpc: [vpc(null), vpc("")] }), []))).toEqual([
      "ExternalIP 192.0.2.1",
    ]);
    expect(machineAddresses({ ...addresses({}), ipv6: null }, [])).toEqual([]);
  });

  it.each([
    [false, ["InternalIP 2001:db8:1::1", "ExternalIP 2001:db8::1"]],
    [true, ["ExternalIP 2001:db8:1::1"]],
  ])("shows the VPC's IPv6, public: %s", (isPublic, expected) => {
    const ipv6 = { ipv6_is_public: isPublic, ipv6_addresses: [{ slaac_address: "2001:db8:1::1/64" }] };
    expect(text(machineAddresses(addresses({}, { slaac: at("2001:db8::1"), vpc: [ipv6] }), []))).toEqual(expected);
  });
});
