import { expect, it } from "vitest";
import type { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import { placeOf } from "../cluster/place.ts";
import type { CloudAccess } from "./cloud-config.ts";
import { cloudConfig } from "./cloud-config.ts";

const configFor = (spec: Partial<NonNullable<AzureCluster["spec"]>>, access: CloudAccess): unknown => {
  const metadata = { name: "c", namespace: "n" };
  const object = {
    apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
    kind: "AzureCluster",
    metadata,
    spec: { location: "westeurope", ...spec },
  } as AzureCluster;
  const cluster = { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", metadata };
  const identity = { clusterName: "c", label: { key: "capstan-uid", value: "u" } };
  const place = placeOf({ object, cluster, identity, subscription: "s" });
  return JSON.parse(cloudConfig({ place, tenantId: "t", access }));
};

const client: CloudAccess = { type: "Client", clientId: "id", clientSecret: "secret" };

it("says where the cluster is, and as whom the cloud provider acts", () => {
  expect(configFor({}, client)).toEqual({
    cloud: "AzurePublicCloud",
    tenantId: "t",
    subscriptionId: "s",
    aadClientId: "id",
    aadClientSecret: "secret",
    useManagedIdentityExtension: false,
    userAssignedIdentityID: "",
    resourceGroup: "c",
    securityGroupName: "c-node-nsg",
    securityGroupResourceGroup: "c",
    location: "westeurope",
    vmType: "vmss",
    vnetName: "c-vnet",
    vnetResourceGroup: "c",
    subnetName: "c-node-subnet",
    routeTableName: "c-node-routetable",
    loadBalancerSku: "Standard",
    loadBalancerName: "",
    maximumLoadBalancerRuleCount: 250,
    useInstanceMetadata: true,
    enableVmssFlexNodes: true,
  });
});

it("holds no client of the AzureClusterIdentity where machines have identities of their own", () => {
  expect(configFor({}, { type: "SystemAssigned" })).toMatchObject({
    aadClientId: "",
    aadClientSecret: "",
    useManagedIdentityExtension: true,
    userAssignedIdentityID: "",
  });
  expect(configFor({}, { type: "UserAssigned", clientId: "machine" })).toMatchObject({
    aadClientId: "",
    useManagedIdentityExtension: true,
    userAssignedIdentityID: "machine",
  });
});

it("names the first subnet of nodes, or that of the whole cluster, and the load balancer for what leaves", () => {
  const subnets = [
    { name: "own", role: "control-plane" as const },
    { name: "first", role: "node" as const, securityGroup: { name: "group" }, routeTable: { name: "table" } },
    { name: "second", role: "node" as const },
  ];
  const vnet = { name: "net", resourceGroup: "network" };
  expect(configFor({ networkSpec: { vnet, subnets, nodeOutboundLB: {} } }, client)).toMatchObject({
    vnetName: "net",
    vnetResourceGroup: "network",
    securityGroupName: "group",
    securityGroupResourceGroup: "network",
    subnetName: "first",
    routeTableName: "table",
    loadBalancerName: "c",
  });
  expect(configFor({ networkSpec: { subnets: [{ name: "all", role: "cluster" }] } }, client)).toMatchObject({
    subnetName: "all",
    routeTableName: "c-routetable",
  });
});

it("takes limits and waits from the spec: those of the default by themselves, others under their name", () => {
  const cloudProviderConfigOverrides = {
    rateLimits: [
      {
        name: "defaultRateLimit" as const,
        config: { cloudProviderRateLimit: true, cloudProviderRateLimitQPS: "1.2", cloudProviderRateLimitBucket: 10 },
      },
      { name: "loadBalancerRateLimit" as const, config: { cloudProviderRateLimitQPSWrite: "600m" } },
    ],
    backOffs: {
      cloudProviderBackoff: true,
      cloudProviderBackoffRetries: 6,
      cloudProviderBackoffExponent: "1.5",
      cloudProviderBackoffDuration: 5,
      cloudProviderBackoffJitter: "1",
    },
  };
  expect(configFor({ cloudProviderConfigOverrides }, client)).toMatchObject({
    cloudProviderRateLimit: true,
    cloudProviderRateLimitQPS: 1.2,
    cloudProviderRateLimitBucket: 10,
    loadBalancerRateLimit: { cloudProviderRateLimitQPSWrite: 0.6 },
    cloudProviderBackoff: true,
    cloudProviderBackoffRetries: 6,
    cloudProviderBackoffExponent: 1.5,
    cloudProviderBackoffDuration: 5,
    cloudProviderBackoffJitter: 1,
  });
});
