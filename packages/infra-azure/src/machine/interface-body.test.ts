import { expect, it } from "vitest";
import type { InterfaceFacts } from "./interface-body.ts";
import { interfaceBody } from "./interface-body.ts";

const facts: InterfaceFacts = {
  name: "m-nic",
  location: "westeurope",
  tags: { a: "b" },
  subnet: "/subnet",
  hasIPv6: false,
  addresses: 1,
  isAccelerated: true,
  forwardsTraffic: false,
  dnsServers: [],
  publicIP: undefined,
  pools: [],
  version6Pools: [],
  natRules: [],
};
const shared = { privateIPAllocationMethod: "Dynamic", subnet: { id: "/subnet" } };

it("has one dynamic address, and nothing more than is asked for", () => {
  expect(interfaceBody(facts)).toEqual({
    location: "westeurope",
    tags: { a: "b" },
    properties: {
      enableAcceleratedNetworking: true,
      enableIPForwarding: false,
      ipConfigurations: [{ name: "pipConfig", properties: { ...shared, primary: true } }],
    },
  });
});

it("is linked by its first address; one of version 6 is behind load balancers of that version alone", () => {
  const { properties } = interfaceBody({
    ...facts,
    hasIPv6: true,
    addresses: 2,
    publicIP: "/ip",
    pools: ["/four"],
    version6Pools: ["/six"],
    natRules: ["/rule"],
  });
  expect((properties as { readonly ipConfigurations: unknown }).ipConfigurations).toEqual([
    {
      name: "pipConfig",
      properties: {
        ...shared,
        primary: true,
        publicIPAddress: { id: "/ip" },
        loadBalancerBackendAddressPools: [{ id: "/four" }],
        loadBalancerInboundNatRules: [{ id: "/rule" }],
      },
    },
    { name: "m-nic-1", properties: { ...shared, primary: false } },
    {
      name: "ipConfigv6",
      properties: {
        ...shared,
        primary: false,
        privateIPAddressVersion: "IPv6",
        loadBalancerBackendAddressPools: [{ id: "/six" }],
      },
    },
  ]);
});

it("has no more addresses than Azure gives an interface, where admission has not refused more", () => {
  const { properties } = interfaceBody({ ...facts, addresses: 100_000 });
  expect((properties as { readonly ipConfigurations: unknown }).ipConfigurations).toHaveLength(256);
});
