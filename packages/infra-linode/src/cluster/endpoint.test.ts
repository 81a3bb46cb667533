import { describe, expect, it } from "vitest";
import { apiPort, endpointPlan } from "./endpoint.ts";

type Spec = Parameters<typeof endpointPlan>[0];
type Network = NonNullable<Spec["network"]>;

const spec = (change: Omit<Partial<Spec>, "network"> & { readonly network?: Partial<Network> }): Spec => ({
  region: "us-ord",
  ...change,
  network: { loadBalancerType: "NodeBalancer", enableVPCBackends: false, ...change.network },
});
const endpoint = { host: "api.example.com", port: 443 };

describe("endpointPlan", () => {
  it.each([
    ["nothing given", spec({}), { kind: "node-balancer" }],
    [
      "our own NodeBalancer",
      spec({ controlPlaneEndpoint: endpoint, network: { nodeBalancerID: 7 } }),
      { kind: "node-balancer" },
    ],
    ["a host of the user", spec({ controlPlaneEndpoint: endpoint }), { kind: "external", host: "api.example.com" }],
    [
      "external",
      spec({ controlPlaneEndpoint: endpoint, network: { loadBalancerType: "external" } }),
      { kind: "external", host: "api.example.com" },
    ],
    [
      "external without a host",
      spec({ network: { loadBalancerType: "external" } }),
      { kind: "refused", reason: "ControlPlaneEndpointMissing" },
    ],
    [
      "dns without a zone",
      spec({ network: { loadBalancerType: "dns" } }),
      { kind: "refused", reason: "ControlPlaneEndpointMissing" },
    ],
    [
      "dns",
      spec({ network: { loadBalancerType: "dns", dnsRootDomain: "example.com", dnsUniqueIdentifier: "7f" } }),
      { kind: "dns", provider: "linode", zone: "example.com", name: "prod-7f" },
    ],
    [
      "dns by another name",
      spec({ network: { loadBalancerType: "dns", dnsRootDomain: "example.com", dnsSubDomainOverride: "api" } }),
      { kind: "dns", zone: "example.com", name: "api" },
    ],
    [
      "dns at Akamai",
      spec({ network: { loadBalancerType: "dns", dnsRootDomain: "example.com", dnsProvider: "akamai" } }),
      { kind: "dns", provider: "akamai", zone: "example.com", name: "prod" },
    ],
    ["vlan", spec({ network: { useVlan: true } }), { kind: "node-balancer" }],
    ["VPC by reference", spec({ vpcRef: { name: "v" } }), { kind: "node-balancer" }],
  ])("%s", (_name, given, expected) => {
    expect(endpointPlan(given, "prod")).toMatchObject(expected);
  });
});

it("takes the port from the network, then the endpoint, then 6443", () => {
  expect(apiPort(spec({ controlPlaneEndpoint: endpoint, network: { apiserverLoadBalancerPort: 8443 } }))).toBe(8443);
  expect(apiPort(spec({ controlPlaneEndpoint: endpoint }))).toBe(443);
  expect(apiPort(spec({}))).toBe(6443);
});
