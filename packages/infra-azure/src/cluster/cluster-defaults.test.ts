import { describe, expect, it } from "vitest";
import { defaultedCluster } from "./cluster-defaults.ts";

type Spec = Parameters<typeof defaultedCluster>[1];
type Subnet = NonNullable<NonNullable<Spec["networkSpec"]>["subnets"]>[number];

const spec = (networkSpec: Spec["networkSpec"] = {}, more: Partial<Spec> = {}): Spec => ({
  location: "westeurope",
  controlPlaneEnabled: true,
  ...more,
  networkSpec,
});

const subnets = (...given: readonly Subnet[]) => defaultedCluster("demo", spec({ subnets: given })).networkSpec.subnets;

describe("names and ranges", () => {
  it("come from the cluster's name where nothing is given", () => {
    const { networkSpec, resourceGroup } = defaultedCluster("demo", spec());
    expect(resourceGroup).toBe("demo");
    expect(networkSpec.vnet).toMatchObject({ name: "demo-vnet", resourceGroup: "demo", cidrBlocks: ["10.0.0.0/8"] });
    expect(networkSpec.subnets).toEqual([
      {
        name: "demo-controlplane-subnet",
        role: "control-plane",
        cidrBlocks: ["10.0.0.0/16"],
        securityGroup: { name: "demo-controlplane-nsg" },
        routeTable: { name: "demo-node-routetable" },
      },
      {
        name: "demo-node-subnet",
        role: "node",
        cidrBlocks: ["10.1.0.0/16"],
        securityGroup: { name: "demo-node-nsg" },
        routeTable: { name: "demo-node-routetable" },
        natGateway: { name: "demo-node-natgw", ip: { name: "pip-demo-node-natgw" } },
      },
    ]);
    expect(networkSpec.apiServerLB).toMatchObject({
      name: "demo-public-lb",
      type: "Public",
      sku: "Standard",
      idleTimeoutInMinutes: 4,
      frontendIPs: [{ name: "demo-public-lb-frontEnd", publicIP: { name: "pip-demo-apiserver" } }],
      backendPool: { name: "demo-public-lb-backendPool" },
    });
    expect(networkSpec.nodeOutboundLB).toBeUndefined();
  });

  it("are numbered for given node subnets, each with a gateway and an address of its own", () => {
    const found = subnets({ name: "", role: "node" }, { name: "mine", role: "node", cidrBlocks: ["10.9.0.0/24"] });
    expect(
      found.slice(1).map(({ cidrBlocks, name, natGateway }) => [name, cidrBlocks[0], natGateway?.ip.name]),
    ).toEqual([
      ["demo-node-subnet-1", "10.1.0.0/16", "pip-demo-node-natgw-1"],
      ["mine", "10.9.0.0/24", "pip-demo-node-natgw-2"],
    ]);
  });

  it("have no gateway for version 6 and for subnets that exist", () => {
    const found = subnets(
      { name: "a", role: "node", cidrBlocks: ["fd00::/64"] },
      { name: "b", role: "node", id: "/x" },
    );
    expect(found.slice(1).map(({ natGateway }) => natGateway)).toEqual([undefined, undefined]);
  });

  it("are one subnet for all where it has the role cluster", () => {
    expect(subnets({ name: "", role: "cluster" })).toMatchObject([
      { name: "demo-subnet", securityGroup: { name: "demo-nsg" }, routeTable: { name: "demo-routetable" } },
    ]);
  });
});

describe("load balancers", () => {
  it("have a private address where they are internal", () => {
    const { networkSpec } = defaultedCluster("demo", spec({ apiServerLB: { type: "Internal" } }));
    expect(networkSpec.apiServerLB).toMatchObject({
      name: "demo-internal-lb",
      frontendIPs: [{ privateIP: "10.0.0.100" }],
    });
  });

  it("are not there where the control plane is somewhere else", () => {
    const { networkSpec } = defaultedCluster("demo", spec({ apiServerLB: {} }, { controlPlaneEnabled: false }));
    expect(networkSpec.apiServerLB).toBeUndefined();
  });

  it("take what leaves nodes with addresses of version 6, and as many addresses as are asked for", () => {
    const ipv6 = defaultedCluster("demo", spec({ subnets: [{ name: "n", role: "node", cidrBlocks: ["fd00::/64"] }] }));
    expect(ipv6.networkSpec.nodeOutboundLB).toMatchObject({
      name: "demo",
      frontendIPs: [{ name: "demo-frontEnd", publicIP: { name: "pip-demo-node-outbound" } }],
      backendPool: { name: "demo-outboundBackendPool" },
    });
    const two = defaultedCluster("demo", spec({ nodeOutboundLB: { frontendIPsCount: 2 } }));
    expect(two.networkSpec.nodeOutboundLB?.frontendIPs.map(({ publicIP }) => publicIP?.name)).toEqual([
      "pip-demo-node-outbound-1",
      "pip-demo-node-outbound-2",
    ]);
  });

  it("make no long list of a count that admission refuses afterwards", () => {
    const frontendIPsCount = 100_000;
    const { networkSpec } = defaultedCluster("demo", spec({ nodeOutboundLB: { frontendIPsCount } }));
    expect(networkSpec.nodeOutboundLB).toMatchObject({ frontendIPsCount });
    expect(networkSpec.nodeOutboundLB?.frontendIPs).toHaveLength(16);
  });
});

it.each([
  spec(),
  spec({
    subnets: [
      { name: "", role: "node" },
      { name: "", role: "node" },
    ],
  }),
  spec({ apiServerLB: { type: "Internal" }, controlPlaneOutboundLB: {}, nodeOutboundLB: { frontendIPsCount: 3 } }),
  spec(
    { vnet: { name: "", peerings: [{ remoteVnetName: "hub" }] } },
    { bastionSpec: { azureBastion: { sku: "Basic", enableTunneling: false } } },
  ),
])("changes nothing the second time: %#", (given) => {
  const once = defaultedCluster("demo", given);
  expect(defaultedCluster("demo", once)).toEqual(once);
});
