import { describe, expect, it } from "vitest";
import type { AzureClusterTemplate } from "../api/azure-cluster-template.v1beta1.ts";
import type { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import { clusterWebhooks } from "./cluster-webhooks.ts";

type ClusterSpec = NonNullable<AzureCluster["spec"]>;
type Subnets = NonNullable<NonNullable<ClusterSpec["networkSpec"]>["subnets"]>;

const identityRef = { kind: "AzureClusterIdentity", name: "i" };
const cluster = (more: Partial<ClusterSpec> = {}): ClusterSpec => ({
  location: "westeurope",
  controlPlaneEnabled: true,
  identityRef,
  ...more,
});
const owned = { "sigs.k8s.io_cluster-api-provider-azure_cluster_demo": "owned" };
const [clusters, templates] = clusterWebhooks({});
const [gated] = clusterWebhooks({ apiServerILB: true, edgeZone: true });
const context = (old?: object) => ({ find: () => Promise.resolve(undefined), ...(old && { old }) }) as never;
const object = (spec: ClusterSpec, name = "demo"): AzureCluster => ({
  apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
  kind: "AzureCluster",
  metadata: { name },
  spec,
});
const fieldsOf = async (spec: ClusterSpec, { name = "demo", by = clusters } = {}): Promise<readonly string[]> =>
  ((await by.validate?.(object(spec, name), context())) ?? []).map(({ field }) => field ?? "");
const withSubnets = (...subnets: Subnets): ClusterSpec => cluster({ networkSpec: { subnets } });
const rule = (more: object) => ({
  name: "r",
  description: "d",
  protocol: "Tcp" as const,
  direction: "Inbound" as const,
  action: "Allow" as const,
  ...more,
});
const network = (networkSpec: NonNullable<ClusterSpec["networkSpec"]>): ClusterSpec => cluster({ networkSpec });
const zone = { privateDNSZoneName: "clusters.example", privateDNSZoneResourceGroup: "names" };
const bastion = (more: object): ClusterSpec =>
  cluster({ bastionSpec: { azureBastion: { sku: "Basic", enableTunneling: false, ...more } } });
const link = {
  privateLinkServiceID: "/subscriptions/s/resourceGroups/r/providers/Microsoft.Storage/storageAccounts/a",
};
const endpoint = (more: object) => ({ name: "e", privateLinkServiceConnections: [link], ...more });
const endpoints = (...all: readonly object[]): ClusterSpec =>
  withSubnets({ name: "n", role: "node", privateEndpoints: all.map(endpoint) });
const internal = (more: object): ClusterSpec => network({ apiServerLB: { type: "Internal", ...more } });
const frontends = (...frontendIPs: readonly object[]) => ({ frontendIPs: frontendIPs as never });
const limits = { backOffs: { cloudProviderBackoff: true } };
const served = (more: object): ClusterSpec =>
  withSubnets({
    name: "n",
    role: "node",
    serviceEndpoints: [{ service: "Microsoft.Storage", locations: ["*"], ...more }],
  });
const beside = (...addresses: readonly string[]): ClusterSpec =>
  network({
    apiServerLB: frontends(
      { name: "f", publicIP: { name: "p" } },
      ...addresses.map((privateIP) => ({ name: privateIP, privateIP })),
    ),
  });
const guarded = (more: object): ClusterSpec =>
  withSubnets({ name: "cp", role: "control-plane", securityGroup: { name: "g", securityRules: [rule(more)] } });

describe("an AzureCluster", () => {
  it.each<[string, ClusterSpec]>([
    ["with what is required", cluster()],
    ["with one subnet for all", withSubnets({ name: "all", role: "cluster" })],
    ["with a priority at the edge", guarded({ priority: 4096 })],
    ["without a control plane of its own", cluster({ controlPlaneEnabled: false })],
    ["with an internal API server", network({ apiServerLB: { type: "Internal" } })],
    ["with ways out", network({ apiServerLB: { type: "Internal" }, controlPlaneOutboundLB: {}, nodeOutboundLB: {} })],
    ["with a private zone", network({ apiServerLB: { type: "Internal" }, ...zone })],
    ["with a peering", network({ vnet: { name: "v", peerings: [{ remoteVnetName: "hub" }] } })],
    ["with a bastion host", bastion({ sku: "Standard", enableTunneling: true })],
    ["with a private endpoint", endpoints({})],
    ["without addresses for what leaves", network({ nodeOutboundLB: { frontendIPsCount: 0 } })],
    ["with limits of the cloud provider", cluster({ cloudProviderConfigOverrides: limits })],
    ["with service endpoints", served({ locations: ["westeurope", "eastus2"] })],
  ])("%s is accepted", async (_, spec) => {
    expect(await fieldsOf(spec)).toEqual([]);
  });

  it.each<[string, ClusterSpec]>([
    ["spec.identityRef", { location: "x", controlPlaneEnabled: true }],
    ["spec.identityRef.kind", cluster({ identityRef: { ...identityRef, kind: "Secret" } })],
    ["spec.resourceGroup", cluster({ resourceGroup: "a/b" })],
    ["spec.azureEnvironment", cluster({ azureEnvironment: "AzureGermanCloud" })],
    [
      "spec.networkSpec.vnet.cidrBlocks",
      cluster({ networkSpec: { vnet: { name: "v", cidrBlocks: ["10.0.0.0/8", "x"] } } }),
    ],
    [
      "spec.networkSpec.subnets[1].cidrBlocks",
      withSubnets({ name: "n", role: "node", cidrBlocks: ["192.168.0.0/24"] }),
    ],
    ["spec.networkSpec.subnets[1].name", withSubnets({ name: "a b", role: "node" })],
    ["spec.networkSpec.subnets[0].securityGroup.securityRules[0].priority", guarded({ priority: 99 })],
    ["spec.networkSpec.subnets[0].securityGroup.securityRules[0].sources", guarded({ source: "*", sources: ["a"] })],
    [
      "spec.networkSpec.subnets[0].securityGroup.securityRules[0].description",
      guarded({ description: "x".repeat(141) }),
    ],
    ["spec.networkSpec.subnets[1].serviceEndpoints[0].service", served({ service: "x" })],
    ["spec.networkSpec.subnets[1].serviceEndpoints[0].locations", served({ locations: [] })],
    ["spec.networkSpec.subnets[1].serviceEndpoints[0].locations", served({ locations: ["West Europe"] })],
    ["spec.networkSpec.subnets[1].cidrBlocks", withSubnets({ name: "n", role: "node", cidrBlocks: ["10.2.0.0"] })],
    ["spec.networkSpec.subnets[0].securityGroup.securityRules[0].priority", guarded({ priority: 4097 })],
    ["spec.networkSpec.vnet.resourceGroup", network({ vnet: { name: "v", resourceGroup: "a b" } })],
    ["spec.networkSpec.apiServerLB.type", network({ apiServerLB: { type: "Inside" } })],
    ["spec.networkSpec.apiServerLB.idleTimeoutInMinutes", network({ apiServerLB: { idleTimeoutInMinutes: 3 } })],
    [
      "spec.networkSpec.privateDNSZoneResourceGroup",
      network({ ...zone, apiServerLB: { type: "Internal" }, privateDNSZoneResourceGroup: "a/b" }),
    ],
    ["spec.networkSpec.apiServerLB.sku", cluster({ networkSpec: { apiServerLB: { sku: "Basic" } } })],
    [
      "spec.networkSpec.apiServerLB.idleTimeoutInMinutes",
      cluster({ networkSpec: { apiServerLB: { idleTimeoutInMinutes: 31 } } }),
    ],
    [
      "spec.networkSpec.nodeOutboundLB.frontendIPsCount",
      cluster({ networkSpec: { nodeOutboundLB: { frontendIPsCount: 17 } } }),
    ],
    ["spec.extendedLocation", cluster({ extendedLocation: { name: "e", type: "EdgeZone" } })],
    [
      "spec.networkSpec.vnet.peerings[1]",
      network({ vnet: { name: "v", peerings: [{ remoteVnetName: "hub" }, { remoteVnetName: "Hub" }] } }),
    ],
    [
      "spec.networkSpec.apiServerLB.frontendIPs[0].privateIP",
      internal(frontends({ name: "f", privateIP: "10.1.0.9" })),
    ],
    [
      "spec.networkSpec.apiServerLB.frontendIPs",
      internal(frontends({ name: "f", privateIP: "10.0.0.9" }, { name: "g", privateIP: "10.0.0.8" })),
    ],
    [
      "spec.networkSpec.apiServerLB.frontendIPs[0].publicIP",
      internal(frontends({ name: "f", publicIP: { name: "p" } })),
    ],
    [
      "spec.networkSpec.apiServerLB.frontendIPs[1].privateIP",
      network({
        apiServerLB: frontends({ name: "f", publicIP: { name: "p" } }, { name: "g", privateIP: "10.0.0.9" }),
      }),
    ],
    [
      "spec.networkSpec.apiServerLB.frontendIPs",
      network({
        apiServerLB: frontends({ name: "f", publicIP: { name: "p" } }, { name: "g", publicIP: { name: "q" } }),
      }),
    ],
    ["spec.networkSpec.apiServerLB.name", network({ apiServerLB: { name: "a b" } })],
    ["spec.networkSpec.nodeOutboundLB.type", network({ nodeOutboundLB: { type: "Internal" } })],
    ["spec.networkSpec.controlPlaneOutboundLB", network({ controlPlaneOutboundLB: {} })],
    ["spec.networkSpec.privateDNSZoneName", network({ privateDNSZoneName: "clusters.example" })],
    [
      "spec.networkSpec.privateDNSZoneName",
      network({ ...zone, apiServerLB: { type: "Internal" }, privateDNSZoneName: "x" }),
    ],
    [
      "spec.networkSpec.privateDNSZoneResourceGroup",
      network({ apiServerLB: { type: "Internal" }, privateDNSZoneResourceGroup: "names" }),
    ],
    ["spec.bastionSpec.azureBastion.enableTunneling", bastion({ enableTunneling: true })],
    [
      "spec.bastionSpec.azureBastion.subnet.cidrBlocks",
      bastion({ subnet: { name: "AzureBastionSubnet", role: "bastion", cidrBlocks: ["192.168.0.0/27"] } }),
    ],
    ["spec.networkSpec.subnets[1].privateEndpoints[0].name", endpoints({ name: "a b" })],
    ["spec.networkSpec.subnets[1].privateEndpoints[1].name", endpoints({}, {})],
    [
      "spec.networkSpec.subnets[1].privateEndpoints[0].privateLinkServiceConnections",
      endpoints({ privateLinkServiceConnections: [] }),
    ],
    [
      "spec.networkSpec.subnets[1].privateEndpoints[0].privateLinkServiceConnections[0].privateLinkServiceID",
      endpoints({ privateLinkServiceConnections: [{ privateLinkServiceID: "x" }] }),
    ],
    [
      "spec.networkSpec.subnets[1].serviceEndpoints[1].service",
      withSubnets({
        name: "n",
        role: "node",
        serviceEndpoints: [
          { service: "Microsoft.Sql", locations: ["*"] },
          { service: "Microsoft.Sql", locations: ["*"] },
        ],
      }),
    ],
    [
      "spec.networkSpec.subnets[2].name",
      withSubnets({ name: "n", role: "node" }, { name: "n", role: "node", cidrBlocks: ["10.3.0.0/16"] }),
    ],
    [
      "spec.networkSpec.additionalAPIServerLBPorts[0].port",
      network({ additionalAPIServerLBPorts: [{ name: "rke2", port: 0 }] }),
    ],
  ])("is refused for %s", async (field, spec) => {
    expect(await fieldsOf(spec)).toContain(field);
  });

  it("may have a private address beside the public one, and be in an edge zone, where the gates are open", async () => {
    const edge = cluster({ extendedLocation: { name: "e", type: "EdgeZone" } });
    expect(await fieldsOf(edge, { by: gated })).toEqual([]);
    const answer = (await gated.default?.(object(edge), context())) as { readonly object: AzureCluster };
    expect(answer.object.spec?.networkSpec?.apiServerLB?.frontendIPs).toMatchObject([
      { publicIP: { name: "pip-demo-apiserver" } },
      { name: "demo-public-lb-frontEnd-internal-ip", privateIP: "10.0.0.100" },
    ]);
  });

  it.each<[string, ClusterSpec]>([
    ["spec.networkSpec.apiServerLB.frontendIPs[1].privateIP", beside("10.1.0.9")],
    ["spec.networkSpec.apiServerLB.frontendIPs", beside("10.0.0.8", "10.0.0.9")],
  ])("is refused for %s with the gate, too", async (field, spec) => {
    expect(await fieldsOf(beside("10.0.0.9"), { by: gated })).toEqual([]);
    expect(await fieldsOf(spec, { by: gated })).toEqual([field]);
  });

  it.each(["Upper", "-a", "a", "x".repeat(45)])("may not be called %s", async (name) => {
    expect(await fieldsOf(cluster(), { name })).toEqual(["metadata.name"]);
  });

  const changes = async (before: ClusterSpec, after: ClusterSpec) =>
    ((await clusters.validate?.(object(after), context(object(before)))) ?? []).map(({ field }) => field);

  it.each<[string, ClusterSpec, ClusterSpec]>([
    ["spec.location", cluster(), cluster({ location: "eastus" })],
    ["spec.subscriptionID", cluster({ subscriptionID: "a" }), cluster({ subscriptionID: "b" })],
    ["spec.resourceGroup", cluster(), cluster({ resourceGroup: "other" })],
    [
      "spec.controlPlaneEndpoint.host",
      cluster({ controlPlaneEndpoint: { host: "a" } }),
      cluster({ controlPlaneEndpoint: { host: "b" } }),
    ],
    ["spec.networkSpec.apiServerLB.name", cluster(), cluster({ networkSpec: { apiServerLB: { name: "x" } } })],
    [
      "spec.networkSpec.subnets[1].cidrBlocks",
      network({ vnet: { name: "v", tags: owned }, subnets: [{ name: "n", role: "node" }] }),
      network({
        vnet: { name: "v", tags: owned },
        subnets: [{ name: "n", role: "node", cidrBlocks: ["10.2.0.0/16"] }],
      }),
    ],
    [
      "spec.networkSpec.subnets[1].securityGroup.name",
      withSubnets({ name: "n", role: "node" }),
      withSubnets({ name: "n", role: "node", securityGroup: { name: "other" } }),
    ],
    [
      "spec.networkSpec.subnets[1].routeTable.name",
      withSubnets({ name: "n", role: "node" }),
      withSubnets({ name: "n", role: "node", routeTable: { name: "other" } }),
    ],
    [
      "spec.networkSpec.subnets[1].natGateway.name",
      withSubnets({ name: "n", role: "node" }),
      withSubnets({ name: "n", role: "node", natGateway: { name: "other" } }),
    ],
    ["spec.networkSpec.apiServerLB.type", cluster(), internal({})],
    [
      "spec.networkSpec.apiServerLB.frontendIPs",
      internal({}),
      internal(frontends({ name: "f", privateIP: "10.0.0.9" })),
    ],
    ["spec.networkSpec.apiServerLB.availabilityZones", internal({}), internal({ availabilityZones: ["1"] })],
    [
      "spec.networkSpec.controlPlaneOutboundLB",
      internal({}),
      network({ apiServerLB: { type: "Internal" }, controlPlaneOutboundLB: {} }),
    ],
    [
      "spec.networkSpec.nodeOutboundLB.frontendIPs",
      network({ nodeOutboundLB: {} }),
      network({ nodeOutboundLB: frontends({ name: "f", publicIP: { name: "p" } }) }),
    ],
    [
      "spec.networkSpec.privateDNSZone",
      internal({}),
      network({ apiServerLB: { type: "Internal" }, privateDNSZone: "None" }),
    ],
    ["spec.networkSpec.privateDNSZoneName", internal({}), network({ apiServerLB: { type: "Internal" }, ...zone })],
    ["spec.bastionSpec.azureBastion", bastion({}), bastion({ name: "other" })],
    ["spec.bastionSpec.azureBastion", bastion({}), cluster()],
    ["spec.azureEnvironment", cluster(), cluster({ azureEnvironment: "AzureChinaCloud" })],
    ["spec.extendedLocation", cluster(), cluster({ extendedLocation: { name: "e", type: "EdgeZone" } })],
    ["spec.cloudProviderConfigOverrides", cluster(), cluster({ cloudProviderConfigOverrides: limits })],
    [
      "spec.controlPlaneEndpoint.port",
      cluster({ controlPlaneEndpoint: { host: "a", port: 6443 } }),
      cluster({ controlPlaneEndpoint: { host: "a", port: 443 } }),
    ],
    ["spec.networkSpec.vnet.name", cluster(), network({ vnet: { name: "other" } })],
    ["spec.networkSpec.vnet.resourceGroup", cluster(), network({ vnet: { name: "", resourceGroup: "other" } })],
    ["spec.networkSpec.apiServerLB.sku", cluster(), network({ apiServerLB: { sku: "Basic" } })],
    [
      "spec.networkSpec.apiServerLB.idleTimeoutInMinutes",
      cluster(),
      network({ apiServerLB: { idleTimeoutInMinutes: 5 } }),
    ],
    [
      "spec.networkSpec.nodeOutboundLB.name",
      network({ nodeOutboundLB: {} }),
      network({ nodeOutboundLB: { name: "other" } }),
    ],
    [
      "spec.networkSpec.privateDNSZoneResourceGroup",
      network({ ...zone, apiServerLB: { type: "Internal" } }),
      network({ ...zone, apiServerLB: { type: "Internal" }, privateDNSZoneResourceGroup: "other" }),
    ],
    ["spec.controlPlaneEnabled", cluster(), cluster({ controlPlaneEnabled: false })],
  ])("keeps %s", async (field, before, after) => {
    expect(await changes(before, after)).toContain(field);
  });

  it("may get an endpoint, a subscription, tags further subnets, a bastion host, and more addresses for what leaves", async () => {
    const before = cluster({ subscriptionID: "", controlPlaneEndpoint: { host: "", port: 0 } });
    const after = cluster({
      subscriptionID: "s",
      controlPlaneEndpoint: { host: "h", port: 6443 },
      additionalTags: { a: "b" },
    });
    expect(await changes(before, after)).toEqual([]);
    expect(
      await changes(
        withSubnets({ name: "n", role: "node" }),
        withSubnets({ name: "n", role: "node" }, { name: "m", role: "node" }),
      ),
    ).toEqual([]);
    expect(await changes(cluster(), bastion({}))).toEqual([]);
    const outbound = (frontendIPsCount: number) => network({ nodeOutboundLB: { frontendIPsCount } });
    expect(await changes(outbound(1), outbound(3))).toEqual([]);
  });

  it("takes over what the network of somebody else has", async () => {
    const vnet = { name: "v", id: "/vnet", tags: {} };
    const before = network({ vnet, subnets: [{ name: "n", role: "node" }] });
    const after = network({ vnet, subnets: [{ name: "n", role: "node", cidrBlocks: ["10.7.0.0/16"] }] });
    expect(await changes(before, after)).toEqual([]);
  });
});

describe("an AzureClusterTemplate", () => {
  const asTemplate = (spec: object, annotations?: Readonly<Record<string, string>>): AzureClusterTemplate => ({
    apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
    kind: "AzureClusterTemplate",
    metadata: { name: "demo", ...(annotations && { annotations }) },
    spec: { template: { spec: { location: "westeurope", ...spec } } },
  });
  const fields = async (after: AzureClusterTemplate, before?: AzureClusterTemplate) =>
    ((await templates.validate?.(after, context(before))) ?? []).map(({ field }) => field);
  const badRule = { securityRules: [rule({ priority: 1 })] };

  it.each<[string, object]>([
    ["spec.template.spec.azureEnvironment", { azureEnvironment: "AzureGermanCloud" }],
    [
      "spec.template.spec.networkSpec.subnets[1].cidrBlocks",
      { networkSpec: { subnets: [{ name: "n", role: "node", cidrBlocks: ["192.168.0.0/24"] }] } },
    ],
    [
      "spec.template.spec.networkSpec.subnets[1].securityGroup.securityRules[0].priority",
      { networkSpec: { subnets: [{ name: "n", role: "node", securityGroup: badRule }] } },
    ],
    ["spec.template.spec.networkSpec.apiServerLB.sku", { networkSpec: { apiServerLB: { sku: "Basic" } } }],
    ["spec.template.spec.networkSpec.privateDNSZoneName", { networkSpec: { privateDNSZoneName: "a.example" } }],
    ["spec.template.spec.extendedLocation", { extendedLocation: { name: "e", type: "EdgeZone" } }],
  ])("is refused for %s", async (field, spec) => {
    expect(await fields(asTemplate(spec))).toEqual([field]);
  });

  it("is accepted with an internal API server and a bastion host, and stays as it is but for dry runs", async () => {
    const own = { networkSpec: { apiServerLB: { type: "Internal" } }, bastionSpec: { azureBastion: {} } };
    const before = asTemplate(own);
    expect(await fields(before)).toEqual([]);
    expect(await fields(asTemplate({ ...own, location: "eastus" }), before)).toEqual(["spec.template.spec"]);
    const dry = { "topology.cluster.x-k8s.io/dry-run": "" };
    expect(await fields(asTemplate({ ...own, location: "eastus" }, dry), before)).toEqual([]);
  });
});
