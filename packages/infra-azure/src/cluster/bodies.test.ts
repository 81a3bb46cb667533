import { describe, expect, it } from "vitest";
import type { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import { loadBalancerBody, loadBalancerDiffers, plannedLoadBalancers } from "./load-balancer-bodies.ts";
import {
  natGatewayBody,
  securityGroupBody,
  securityGroupDiffers,
  subnetBody,
  subnetDiffers,
} from "./network-bodies.ts";
import type { ClusterPlace } from "./place.ts";
import { placeOf, refs, subnetsFor } from "./place.ts";
import { privateDnsParts } from "./private-dns.ts";
import { plannedAddresses, publicIPBody } from "./public-ips.ts";

type Spec = NonNullable<AzureCluster["spec"]>;

const place = (more: Partial<Spec> = {}, apiServerPort?: number): ClusterPlace =>
  placeOf({
    object: {
      apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
      kind: "AzureCluster",
      metadata: { namespace: "red", name: "demo", uid: "u1" },
      spec: { location: "westeurope", controlPlaneEnabled: true, additionalTags: { team: "a" }, ...more },
    },
    cluster: { apiVersion: "v1", kind: "Cluster", metadata: {}, spec: { clusterNetwork: { apiServerPort } } },
    identity: { clusterName: "prod", label: { key: "capstan-uid", value: "u1" } },
    subscription: "sub",
  });

const firstBalancer = (of: ClusterPlace) => plannedLoadBalancers(of)[0]!;

describe("the load balancer of the API server", () => {
  it("has a frontend, a pool, a probe, rules, and one for what leaves", () => {
    const here = place({ networkSpec: { additionalAPIServerLBPorts: [{ name: "rke2", port: 9345 }] } }, 8443);
    const body = loadBalancerBody(here, firstBalancer(here), undefined) as {
      readonly properties: Record<string, object[]>;
    };
    expect(body).toMatchObject({
      location: "westeurope",
      sku: { name: "Standard" },
      tags: {
        team: "a",
        Name: "demo-public-lb",
        "capstan-uid": "u1",
        "capstan-owner": expect.stringMatching(/^red\/demo\/[0-9a-f]{20}$/),
        "sigs.k8s.io_cluster-api-provider-azure_cluster_prod": "owned",
        "sigs.k8s.io_cluster-api-provider-azure_role": "apiserver",
      },
    });
    expect(body.properties["probes"]).toMatchObject([
      { name: "HTTPSProbe", properties: { port: 8443, requestPath: "/readyz" } },
    ]);
    expect(body.properties["loadBalancingRules"]).toMatchObject([
      { name: "LBRuleHTTPS", properties: { frontendPort: 8443, backendPort: 8443, disableOutboundSnat: true } },
      { name: "rke2", properties: { frontendPort: 9345, backendPort: 9345 } },
    ]);
    expect(body.properties["outboundRules"]).toMatchObject([
      { name: "OutboundNATAllProtocols", properties: { protocol: "All" } },
    ]);
  });

  const here = place();
  const planned = firstBalancer(here);
  const whole = loadBalancerBody(here, planned, undefined);
  const resource = (change: (properties: Record<string, unknown>) => object) => ({
    id: "/lb",
    properties: { ...(whole["properties"] as object), ...change(whole["properties"] as Record<string, unknown>) },
  });

  it("is as it should be, whatever others put there and however Azure writes ids", () => {
    const upper = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value).replaceAll("/resourceGroups/demo/", "/resourceGroups/DEMO/"));
    const found = resource((properties) => ({
      loadBalancingRules: [...(upper(properties["loadBalancingRules"]) as object[]), { name: "foreign" }],
      inboundNatRules: [{ name: "m" }],
    }));
    expect(loadBalancerDiffers(here, planned, found)).toBe(false);
  });

  it.each<[string, (properties: Record<string, unknown>) => object]>([
    ["a pool is missing", () => ({ backendAddressPools: [] })],
    [
      "a rule leads elsewhere",
      () => ({ loadBalancingRules: [{ name: "LBRuleHTTPS", properties: { backendPort: 1 } }] }),
    ],
    ["the probe asks for something else", () => ({ probes: [{ name: "HTTPSProbe", properties: { port: 1 } }] })],
  ])("is put right when %s, and keeps what others put there", (_, change) => {
    const found = resource((properties) => ({ ...change(properties), inboundNatRules: [{ name: "m" }] }));
    expect(loadBalancerDiffers(here, planned, found)).toBe(true);
    const body = loadBalancerBody(here, planned, found) as { readonly properties: object };
    expect(
      loadBalancerDiffers(here, planned, { id: "/lb", properties: body.properties as Record<string, unknown> }),
    ).toBe(false);
    expect(body.properties).toMatchObject({ inboundNatRules: [{ name: "m" }] });
  });
});

describe("an internal load balancer", () => {
  const subnets = [
    { name: "cp", role: "control-plane" as const, cidrBlocks: ["10.0.0.0/16", "fd00::/64"] },
    { name: "n", role: "node" as const },
  ];
  const frontendsOf = (apiServerLB: NonNullable<NonNullable<Spec["networkSpec"]>["apiServerLB"]>) => {
    const here = place({ networkSpec: { subnets, apiServerLB: { availabilityZones: ["1", "3"], ...apiServerLB } } });
    const body = loadBalancerBody(here, firstBalancer(here), undefined);
    return (body["properties"] as Readonly<Record<string, readonly object[]>>)["frontendIPConfigurations"];
  };

  it("has its address in the zones of the spec; a public one leaves zones to its public address", () => {
    const [frontend] = frontendsOf({ type: "Internal" }) ?? [];
    expect(frontend).toEqual({
      name: "demo-internal-lb-frontEnd",
      zones: ["1", "3"],
      properties: {
        privateIPAllocationMethod: "Static",
        privateIPAddress: "10.0.0.100",
        subnet: { id: expect.stringMatching(/\/subnets\/cp$/) as string },
      },
    });
    expect(frontendsOf({ type: "Public" })?.[0]).not.toHaveProperty("zones");
    const here = place({ networkSpec: { apiServerLB: { availabilityZones: ["1", "3"] } } });
    const [address] = plannedAddresses(here, true);
    expect(publicIPBody(here, address!, ["1", "2", "3"])).toMatchObject({ zones: ["1", "3"] });
  });

  it("may have an address of version 6, which its private name has too", () => {
    const apiServerLB = { type: "Internal", frontendIPs: [{ name: "f", privateIP: "fd00::7" }] };
    expect(frontendsOf(apiServerLB)).toMatchObject([
      { properties: { privateIPAddress: "fd00::7", privateIPAddressVersion: "IPv6" } },
    ]);
    const [record] = privateDnsParts(place({ networkSpec: { subnets, apiServerLB } })).record;
    expect(record?.ref.id).toMatch(/\/AAAA\/apiserver$/);
    expect(record?.body(undefined)).toMatchObject({ properties: { aaaaRecords: [{ ipv6Address: "fd00::7" }] } });
  });
});

describe("a security group", () => {
  const here = place();
  const name = "demo-controlplane-nsg";
  const rulesOf = (body: object) =>
    (body as { readonly properties: { readonly securityRules: { readonly name: string }[] } }).properties.securityRules;

  it("lets SSH and the API server in", () => {
    expect(rulesOf(securityGroupBody(here, name, undefined))).toMatchObject([
      { name: "allow_ssh", properties: { priority: 2200, destinationPortRange: "22", access: "Allow" } },
      { name: "allow_apiserver", properties: { priority: 2201, destinationPortRange: "6443" } },
    ]);
    expect(rulesOf(securityGroupBody(here, "demo-node-nsg", undefined))).toEqual([]);
  });

  it("leaves it to rules that the spec has for these ports", () => {
    const rule = {
      name: "mine",
      description: "d",
      protocol: "Tcp" as const,
      direction: "Inbound" as const,
      destinationPorts: "22",
      action: "Deny" as const,
    };
    const own = place({
      networkSpec: {
        subnets: [{ name: "cp", role: "control-plane", securityGroup: { name: "g", securityRules: [rule] } }],
      },
    });
    expect(rulesOf(securityGroupBody(own, "g", undefined)).map((each) => each.name)).toEqual([
      "mine",
      "allow_apiserver",
    ]);
  });

  it("has rules with several sources, and of either direction", () => {
    const rule = { name: "r", description: "d", protocol: "Udp" as const, action: "Deny" as const };
    const securityRules = [
      { ...rule, direction: "Outbound" as const, sources: ["10.0.0.0/8", "VirtualNetwork"], priority: 100 },
    ];
    const own = place({
      networkSpec: { subnets: [{ name: "n", role: "node", securityGroup: { name: "g", securityRules } }] },
    });
    expect(rulesOf(securityGroupBody(own, "g", undefined))).toEqual([
      {
        name: "r",
        properties: {
          description: "d",
          protocol: "Udp",
          direction: "Outbound",
          access: "Deny",
          priority: 100,
          sourcePortRange: "*",
          destinationPortRange: "*",
          sourceAddressPrefixes: ["10.0.0.0/8", "VirtualNetwork"],
          destinationAddressPrefix: "*",
        },
      },
    ]);
  });

  it("keeps rules of others, and corrects its own", () => {
    const foreign = { name: "foreign", properties: { priority: 300 } };
    const found = {
      id: "/nsg",
      properties: { securityRules: [foreign, { name: "allow_ssh", properties: { access: "Deny" } }] },
    };
    expect(securityGroupDiffers(here, name, found)).toBe(true);
    const body = securityGroupBody(here, name, found);
    expect(rulesOf(body).map((rule) => rule.name)).toEqual(["foreign", "allow_ssh", "allow_apiserver"]);
    expect(
      securityGroupDiffers(here, name, { id: "/nsg", properties: body["properties"] as Record<string, unknown> }),
    ).toBe(false);
  });
});

describe("a subnet", () => {
  const here = place();
  const [nodes] = subnetsFor(here, "node");

  it("is linked to its security group, route table and gateway", () => {
    expect(subnetBody(here, nodes!, undefined)).toEqual({
      properties: {
        addressPrefix: "10.1.0.0/16",
        networkSecurityGroup: { id: refs.securityGroup(here, "demo-node-nsg").id },
        routeTable: { id: refs.routeTable(here, "demo-node-routetable").id },
        natGateway: { id: refs.natGateway(here, "demo-node-natgw").id },
      },
    });
  });

  it("has the service endpoints of the spec, and has them again where somebody took one away", () => {
    const serviceEndpoints = [{ service: "Microsoft.Storage", locations: ["westeurope", "northeurope"] }];
    const asked = { ...nodes!, serviceEndpoints };
    const properties = subnetBody(here, asked, undefined)["properties"] as Record<string, unknown>;
    expect(properties).toMatchObject({ serviceEndpoints });
    expect(subnetDiffers(here, asked, { id: "/s", properties })).toBe(false);
    expect(subnetDiffers(here, asked, { id: "/s", properties: { ...properties, serviceEndpoints: [] } })).toBe(true);
  });

  it("is linked again when somebody took a link away, in whatever letter case Azure says the others", () => {
    const properties = subnetBody(here, nodes!, undefined)["properties"] as Record<string, unknown>;
    const upper = { id: refs.natGateway(here, "demo-node-natgw").id.toUpperCase() };
    expect(subnetDiffers(here, nodes!, { id: "/s", properties: { ...properties, natGateway: upper } })).toBe(false);
    expect(subnetDiffers(here, nodes!, { id: "/s", properties: { ...properties, natGateway: undefined } })).toBe(true);
  });
});

describe("public addresses", () => {
  it("are those of the load balancer, with a name, and of the gateways", () => {
    expect(
      plannedAddresses(place(), true).map(({ dnsName, name }) => [name, dnsName?.replace(/-[0-9a-f]+\./, "-hash.")]),
    ).toEqual([
      ["pip-demo-apiserver", "demo-hash.westeurope.cloudapp.azure.com"],
      ["pip-demo-node-natgw", undefined],
    ]);
  });

  it("are each gateway's own with several subnets of nodes, and one where these share it", () => {
    const nodes = (...gateways: readonly string[]) => {
      const { spec, ...here } = place();
      const subnets = gateways.map((name, index) => ({
        ...spec.networkSpec.subnets[1]!,
        name: `nodes-${index}`,
        natGateway: { name, ip: { name: `pip-${name}` } },
      }));
      const networkSpec = { ...spec.networkSpec, subnets: [spec.networkSpec.subnets[0]!, ...subnets] };
      const planned = plannedAddresses({ ...here, spec: { ...spec, networkSpec } }, true);
      return planned.map(({ name }) => name).filter((name) => name !== "pip-demo-apiserver");
    };
    expect(nodes("a", "b")).toEqual(["pip-a", "pip-b"]);
    expect(nodes("a", "a")).toEqual(["pip-a"]);
  });

  it("of a gateway are in its zones, with the tags and the name of the spec", () => {
    const natGateway = {
      name: "gateway",
      zones: ["2"],
      ip: { name: "out", dnsName: "out.example", ipTags: [{ type: "FirstPartyUsage", tag: "/Own" }] },
    };
    const own = place({ networkSpec: { subnets: [{ name: "n", role: "node", natGateway }] } });
    const address = plannedAddresses(own, true).find(({ name }) => name === "out");
    expect(publicIPBody(own, address!, ["1", "2"])).toMatchObject({
      zones: ["2"],
      properties: {
        dnsSettings: { domainNameLabel: "out", fqdn: "out.example" },
        ipTags: [{ ipTagType: "FirstPartyUsage", tag: "/Own" }],
      },
    });
    expect(natGatewayBody(own, own.spec.networkSpec.subnets[1]!.natGateway!)).toMatchObject({
      sku: { name: "Standard" },
      zones: ["2"],
      properties: { publicIpAddresses: [{ id: refs.publicIP(own, "out").id }] },
    });
  });

  it.each([
    ["AzureChinaCloud", ".westeurope.cloudapp.chinacloudapi.cn"],
    ["AzureUSGovernmentCloud", ".westeurope.cloudapp.usgovcloudapi.net"],
  ])("have names of their cloud: %s", (azureEnvironment, suffix) => {
    const [address] = plannedAddresses(place({ azureEnvironment }), true);
    expect(address?.dnsName?.endsWith(suffix)).toBe(true);
  });

  it("are in all zones of the cluster", () => {
    const here = place();
    const [address] = plannedAddresses(here, true);
    expect(publicIPBody(here, address!, ["1", "2"])).toMatchObject({ zones: ["1", "2"], sku: { name: "Standard" } });
    expect(publicIPBody(here, address!, [])).not.toHaveProperty("zones");
  });
});
