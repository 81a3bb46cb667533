import { conditionsOf } from "@capstan/contract/wire";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AzureCluster } from "../src/api.ts";
import { location } from "./cloud.ts";
import { existingNetwork } from "./existing-network.ts";
import { groupPath, idsOf, ready, remove } from "./network-scene.ts";
import type { Json, Scene } from "./scene.ts";
import { because, isReady, openScene, propertiesOf, startEnvironment } from "./scene.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await startEnvironment();
});
afterAll(() => environment.stop());

const open = (): Promise<Scene> => openScene(environment);

const frontendOf = (scene: Scene, ending: string) =>
  propertiesOf(scene.resource("loadBalancers", ending))["frontendIPConfigurations"]?.[0]?.["properties"] as Json;

const trueOf = (cluster: AzureCluster): readonly string[] =>
  conditionsOf(cluster, "v1beta1")
    .filter(({ status }) => status === "True")
    .map(({ type }) => type);

/** Makes a network of others. */
const hub = async (scene: Scene, group: string): Promise<string> => {
  const path = groupPath(scene, group);
  await scene.cloud.call("PUT", path, { location });
  const id = `${path}/providers/Microsoft.Network/virtualNetworks/hub`;
  await scene.cloud.call("PUT", id, {
    location,
    properties: { addressSpace: { addressPrefixes: ["192.168.0.0/16"] } },
  });
  return id;
};

describe("an internal API server", () => {
  it("is found by its private name in all networks, and what leaves has ways of its own", async () => {
    await using scene = await open();
    const hubId = await hub(scene, "hub");
    const cluster = await ready(scene, {
      networkSpec: {
        apiServerLB: { type: "Internal" },
        controlPlaneOutboundLB: {},
        nodeOutboundLB: { frontendIPsCount: 2 },
        vnet: { name: "own", peerings: [{ resourceGroup: "hub", remoteVnetName: "hub" }] },
      },
    });
    const name = scene.core.clusterName;
    expect(cluster.spec?.controlPlaneEndpoint).toEqual({ host: `apiserver.${name}.capz.io`, port: 6443 });
    expect(frontendOf(scene, `${name}-internal-lb`)).toMatchObject({ privateIPAddress: "10.0.0.100" });
    expect(scene.resource("A").properties).toMatchObject({ ttl: 300, aRecords: [{ ipv4Address: "10.0.0.100" }] });
    expect(scene.resource("virtualNetworkLinks", "own-link").properties).toMatchObject({
      virtualNetwork: { id: scene.resource("virtualNetworks", "own").id },
      registrationEnabled: false,
    });
    expect(scene.resource("virtualNetworkLinks", "hub-link").properties).toMatchObject({
      virtualNetwork: { id: hubId },
    });
    expect(propertiesOf(scene.resource("loadBalancers", `${name}-outbound-lb`))["outboundRules"]).toHaveLength(1);
    expect(
      propertiesOf(scene.resource("loadBalancers", name))["frontendIPConfigurations"]?.map((each) => each["name"]),
    ).toEqual([`${name}-frontEnd-1`, `${name}-frontEnd-2`]);
    expect(trueOf(cluster)).toEqual(
      expect.arrayContaining([
        "PrivateDNSZoneReady",
        "PrivateDNSLinkReady",
        "PrivateDNSRecordReady",
        "VnetPeeringReady",
      ]),
    );
    await remove(environment, scene);
    expect(idsOf(scene)).toEqual(["hub/providers/Microsoft.Network/virtualNetworks/hub"]);
    expect(propertiesOf(scene.cloud.simulator.state.resources[0]!)["virtualNetworkPeerings"]).toEqual([]);
  });

  it("has its address for an endpoint where no private zone is wanted", async () => {
    await using scene = await open();
    const cluster = await ready(scene, {
      networkSpec: {
        apiServerLB: { type: "Internal", frontendIPs: [{ name: "f", privateIP: "10.0.0.7" }] },
        privateDNSZone: "None",
      },
    });
    expect(cluster.spec?.controlPlaneEndpoint?.host).toBe("10.0.0.7");
    expect(idsOf(scene).filter((id) => id.includes("privateDnsZones"))).toEqual([]);
  });

  it("leaves the zone of somebody else, but for its own record and links, which go with it", async () => {
    await using scene = await open();
    await scene.cloud.call("PUT", groupPath(scene, "names"), { location });
    const zone = `${groupPath(scene, "names")}/providers/Microsoft.Network/privateDnsZones/clusters.example`;
    await scene.cloud.call("PUT", zone, { location: "global" });
    await environment.pass(60_000);
    const cluster = await ready(scene, {
      networkSpec: {
        apiServerLB: { type: "Internal" },
        privateDNSZoneName: "clusters.example",
        privateDNSZoneResourceGroup: "names",
      },
    });
    expect(cluster.spec?.controlPlaneEndpoint?.host).toBe("apiserver.clusters.example");
    expect(scene.cloud.simulator.state.resources.find(({ id }) => id === zone)?.tags).toBeUndefined();
    await remove(environment, scene);
    expect(idsOf(scene)).toEqual(["names/providers/Microsoft.Network/privateDnsZones/clusters.example"]);
  });

  it("does not take the name of another Cluster's API server away", async () => {
    await using scene = await open();
    await scene.cloud.call("PUT", groupPath(scene, "names"), { location });
    const zone = `${groupPath(scene, "names")}/providers/Microsoft.Network/privateDnsZones/clusters.example`;
    await scene.cloud.call("PUT", zone, { location: "global" });
    await environment.pass(60_000);
    const metadata = { "sigs.k8s.io_cluster-api-provider-azure_cluster_other": "owned" };
    const record = { ttl: 300, metadata, aRecords: [{ ipv4Address: "10.9.9.9" }] };
    await scene.cloud.call("PUT", `${zone}/A/apiserver`, { properties: record });
    await scene.cluster({
      networkSpec: {
        apiServerLB: { type: "Internal" },
        privateDNSZoneName: "clusters.example",
        privateDNSZoneResourceGroup: "names",
      },
    });
    await scene.managers.start();
    const cluster = await scene.clusterIs(because("OwnedByAnother"));
    expect(conditionsOf(cluster, "v1beta1").find(({ type }) => type === "Ready")?.message).toContain(
      "the record apiserver in the private DNS zone clusters.example belongs to Cluster other; recreate this cluster with another spec.networkSpec.privateDNSZoneName",
    );
    await remove(environment, scene);
    expect(idsOf(scene)).toEqual([
      "names/providers/Microsoft.Network/privateDnsZones/clusters.example",
      "names/providers/Microsoft.Network/privateDnsZones/clusters.example/A/apiserver",
    ]);
  });
});

describe("a public API server", () => {
  it("may have a private address beside, behind which its machines are too", async () => {
    await using scene = await open();
    const name = scene.core.clusterName;
    const frontendIPs = [
      { name: "outside", publicIP: { name: "ip" } },
      { name: "inside", privateIP: "10.0.0.100" },
    ];
    await scene.cluster({ networkSpec: { apiServerLB: { frontendIPs } } });
    await scene.machine({}, { controlPlane: true });
    await scene.managers.start();
    await scene.machineIs(isReady);
    expect(frontendOf(scene, `${name}-public-lb-internal`)).toMatchObject({ privateIPAddress: "10.0.0.100" });
    const [configuration] = propertiesOf(scene.resource("networkInterfaces", "m-nic"))["ipConfigurations"] ?? [];
    const { loadBalancerBackendAddressPools: pools } = configuration!["properties"] as {
      readonly loadBalancerBackendAddressPools: readonly { readonly id: string }[];
    };
    expect(pools.map(({ id }) => id.split("/").at(-1))).toEqual([
      `${name}-public-lb-backendPool`,
      `${name}-public-lb-backendPool-internal`,
    ]);
  });
});

describe("a network", () => {
  const service = `/subscriptions/s/resourceGroups/r/providers/Microsoft.Storage/storageAccounts/a`;
  const privateEndpoints = [
    {
      name: "store",
      privateLinkServiceConnections: [{ name: "blob", privateLinkServiceID: service, groupIDs: ["blob"] }],
      privateIPAddresses: ["10.1.0.9"],
    },
    { name: "asked", manualApproval: true, privateLinkServiceConnections: [{ privateLinkServiceID: service }] },
  ];
  const furnished = {
    bastionSpec: { azureBastion: { sku: "Standard", enableTunneling: true } },
    networkSpec: { subnets: [{ name: "nodes", role: "node", privateEndpoints }] },
  };

  it("has a bastion host and private endpoints", async () => {
    await using scene = await open();
    const cluster = await ready(scene, furnished);
    const name = scene.core.clusterName;
    const host = scene.resource("bastionHosts", `${name}-azure-bastion`);
    expect(host.outer).toMatchObject({ sku: { name: "Standard" } });
    expect(host.tags).toMatchObject({ "sigs.k8s.io_cluster-api-provider-azure_role": "Bastion" });
    expect(host.properties).toMatchObject({
      enableTunneling: true,
      ipConfigurations: [
        {
          name: `${name}-azure-bastion-bastionIP`,
          properties: {
            subnet: { id: expect.stringMatching(/\/subnets\/AzureBastionSubnet$/) as string },
            publicIPAddress: { id: scene.resource("publicIPAddresses", "azure-bastion-pip").id },
          },
        },
      ],
    });
    expect(scene.resource("privateEndpoints", "store").properties).toMatchObject({
      subnet: { id: expect.stringMatching(/\/subnets\/nodes$/) as string },
      privateLinkServiceConnections: [
        { name: "blob", properties: { privateLinkServiceId: service, groupIds: ["blob"] } },
      ],
      ipConfigurations: [{ properties: { privateIPAddress: "10.1.0.9" } }],
    });
    expect(scene.resource("privateEndpoints", "asked").properties).toMatchObject({
      manualPrivateLinkServiceConnections: [{ name: "asked-1" }],
    });
    expect(trueOf(cluster)).toEqual(expect.arrayContaining(["PrivateEndpointsReady", "BastionHostReady"]));
  });

  it("goes piece by piece from a resource group of others", async () => {
    await using scene = await open();
    await scene.cloud.call("PUT", groupPath(scene, scene.core.namespace), { location });
    await hub(scene, "hub");
    await ready(scene, {
      ...furnished,
      networkSpec: {
        ...furnished.networkSpec,
        apiServerLB: { type: "Internal" },
        vnet: { name: "own", peerings: [{ resourceGroup: "hub", remoteVnetName: "hub" }] },
      },
    });
    await remove(environment, scene);
    expect(idsOf(scene)).toEqual(["hub/providers/Microsoft.Network/virtualNetworks/hub"]);
  });

  it("is in an edge zone, and its machines in no other", async () => {
    await using scene = await open();
    const extendedLocation = { name: "microsoftlosangeles1", type: "EdgeZone" };
    const cluster = await ready(scene, { extendedLocation });
    expect(cluster.status?.failureDomains ?? {}).toEqual({});
    for (const [type, ending] of [
      ["virtualNetworks", ""],
      ["publicIPAddresses", "apiserver"],
      ["loadBalancers", ""],
    ] as const) {
      expect(scene.resource(type, ending).outer, type).toMatchObject({ extendedLocation });
    }
  });

  it("of others that lacks a subnet is told so", async () => {
    await using scene = await open();
    const spec = await existingNetwork(scene.cloud, scene.core.namespace);
    await scene.cluster({
      ...spec,
      networkSpec: { ...spec.networkSpec, subnets: [{ name: "none", role: "cluster" }] },
    });
    await scene.managers.start();
    const cluster = await scene.clusterIs(because("SubnetMissing"));
    expect(conditionsOf(cluster, "v1beta1").find(({ type }) => type === "Ready")?.message).toBe(
      "the virtual network given, which the cluster does not own, has no subnet none; create it, or use another one in spec.networkSpec.subnets",
    );
  });

  it("of others is written to the spec with its ranges, IDs and tags", async () => {
    await using scene = await open();
    const spec = await existingNetwork(scene.cloud, scene.core.namespace);
    const cluster = await ready(scene, spec);
    expect(cluster.spec?.networkSpec).toMatchObject({
      vnet: { id: scene.resource("virtualNetworks").id, cidrBlocks: ["10.0.0.0/8"] },
      subnets: [{ name: "machines", cidrBlocks: ["10.0.0.0/16"], id: expect.stringContaining("/subnets/machines") }],
    });
    expect(trueOf(cluster)).toEqual(expect.arrayContaining(["VNetReady", "SubnetsReady"]));
  });
});

describe("what the spec no longer asks for", () => {
  const rule = (name: string, priority: number, destinationPorts: string) => ({
    name,
    description: `Let ${name} in`,
    protocol: "Tcp",
    direction: "Inbound",
    action: "Allow",
    priority,
    destinationPorts,
  });
  const withRules = (...securityRules: readonly object[]) => ({
    networkSpec: { subnets: [{ name: "cp", role: "control-plane", securityGroup: { name: "guard", securityRules } }] },
  });

  it("goes: rules of security groups; those of others stay", async () => {
    await using scene = await open();
    const spec = withRules(rule("a", 300, "1"), rule("b", 301, "2"));
    const made = await ready(scene, spec);
    const applied = made.metadata.annotations?.["sigs.k8s.io/cluster-api-provider-azure-last-applied-security-rules"];
    expect(JSON.parse(applied ?? "{}")).toMatchObject({
      guard: { a: "Let a in", b: "Let b in", allow_ssh: "Allow SSH" },
    });
    const group = scene.resource("networkSecurityGroups", "guard");
    const foreign = { name: "foreign", properties: { ...rule("foreign", 400, "3") } };
    const { name: _n, description: _d, action: _a, destinationPorts: _p, ...properties } = foreign.properties;
    await scene.cloud.call("PUT", `${group.id}/securityRules/foreign`, {
      properties: {
        ...properties,
        access: "Allow",
        sourcePortRange: "*",
        destinationPortRange: "3",
        sourceAddressPrefix: "*",
        destinationAddressPrefix: "*",
      },
    });
    await scene.core.patch(AzureCluster, scene.core.clusterName, { spec: withRules(rule("b", 301, "2")) });
    const names = () =>
      propertiesOf(scene.resource("networkSecurityGroups", "guard"))
        ["securityRules"]?.map(({ name }) => name)
        .toSorted();
    await environment.until(() => names()?.includes("a") === false);
    expect(names()).toEqual(["allow_apiserver", "allow_ssh", "b", "foreign"]);
  });

  it("goes: tags; those of others stay, and come back as they were when somebody changes them", async () => {
    await using scene = await open();
    const made = await ready(scene, { additionalTags: { team: "a", cost: "1" } });
    expect(made.metadata.annotations?.["sigs.k8s.io/cluster-api-provider-azure-last-applied-tags-rg"]).toBe(
      '{"team":"a","cost":"1"}',
    );
    const group = () => scene.cloud.simulator.state.groups.find(({ name }) => name === scene.core.namespace);
    group()!.tags = { ...group()?.tags, foreign: "x", team: "changed" };
    await scene.core.patch(AzureCluster, scene.core.clusterName, {
      spec: { additionalTags: { cost: null, env: "b" } },
    });
    const isDone = (tags: Json = {}) => tags["env"] === "b" && tags["team"] === "a" && tags["cost"] === undefined;
    await environment.until(() => isDone(group()?.tags));
    expect(group()?.tags).toMatchObject({ foreign: "x" });
    await environment.until(() => isDone(scene.resource("loadBalancers").tags));
  });

  it.each([
    ["a public IP address", "publicIPAddresses", "own"],
    ["a route table", "routeTables", "own"],
  ])("and never was the cluster's own stays: %s", async (_, type, name) => {
    await using scene = await open();
    const path = groupPath(scene, scene.core.namespace);
    await scene.cloud.call("PUT", path, { location });
    const id = `${path}/providers/Microsoft.Network/${type}/${name}`;
    const address = { sku: { name: "Standard" }, properties: { publicIPAllocationMethod: "Static" } };
    await scene.cloud.call("PUT", id, { location, ...(type === "publicIPAddresses" ? address : { properties: {} }) });
    await environment.pass(60_000);
    await ready(scene, {
      networkSpec: {
        apiServerLB: { frontendIPs: [{ name: "f", publicIP: { name: "own" } }] },
        subnets: [{ name: "nodes", role: "node", routeTable: { name: "own" } }],
      },
    });
    expect(scene.resource(type, "own").tags).toBeUndefined();
    await remove(environment, scene);
    expect(idsOf(scene)).toEqual([`${scene.core.namespace}/providers/Microsoft.Network/${type}/own`]);
  });
});

describe("a deletion", () => {
  it("takes along what the spec named once, from a resource group of others", async () => {
    await using scene = await open();
    await scene.cloud.call("PUT", groupPath(scene, scene.core.namespace), { location });
    await ready(scene, { networkSpec: { nodeOutboundLB: { frontendIPsCount: 2 } } });
    await scene.core.patch(AzureCluster, scene.core.clusterName, {
      spec: { networkSpec: { nodeOutboundLB: { frontendIPsCount: 1 } } },
    });
    await environment.until(() => idsOf(scene).some((id) => id.endsWith("-node-outbound")));
    expect(idsOf(scene).filter((id) => id.includes("-node-outbound"))).toHaveLength(3);
    await scene.clusterIs(isReady);
    await remove(environment, scene);
    expect(idsOf(scene)).toEqual([]);
  });

  it("waits for a lock to go, says so, and ends then", async () => {
    await using scene = await open();
    await ready(scene, {});
    const lock = `${groupPath(scene, scene.core.namespace)}/providers/Microsoft.Authorization/locks/keep`;
    await scene.cloud.call("PUT", lock, { properties: { level: "CanNotDelete" } });
    const key = scene.core.key(scene.core.clusterName);
    await environment.client.delete(AzureCluster, key);
    const cluster = await scene.clusterIs(because("ScopeLocked"));
    expect(conditionsOf(cluster, "v1beta1").find(({ type }) => type === "Ready")?.message).toContain(
      "remove the lock at Azure",
    );
    await scene.cloud.call("DELETE", lock);
    await environment.eventually(AzureCluster, key, (found) => found === undefined);
    expect(scene.cloud.simulator.state.groups).toEqual([]);
  });

  it("ends when the resource group is gone already", async () => {
    await using scene = await open();
    await ready(scene, {});
    await scene.cloud.call("DELETE", groupPath(scene, scene.core.namespace));
    await environment.pass(120_000);
    await remove(environment, scene);
  });
});
