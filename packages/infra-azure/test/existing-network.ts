import type { AzureCloud } from "./cloud.ts";
import { location } from "./cloud.ts";

/** Makes a resource group with a network that no one of ours owns, and answers with the spec of an AzureCluster that uses it. */
export const existingNetwork = async (cloud: AzureCloud, group: string) => {
  const path = `/subscriptions/${cloud.simulator.subscriptionId}/resourceGroups/${group}`;
  await cloud.call("PUT", path, { location });
  await cloud.call("PUT", `${path}/providers/Microsoft.Network/virtualNetworks/given`, {
    location,
    properties: {
      addressSpace: { addressPrefixes: ["10.0.0.0/8"] },
      subnets: [{ name: "machines", properties: { addressPrefix: "10.0.0.0/16" } }],
    },
  });
  return {
    location,
    resourceGroup: group,
    controlPlaneEnabled: false,
    controlPlaneEndpoint: { host: "api.example.com", port: 6443 },
    networkSpec: { vnet: { name: "given" }, subnets: [{ name: "machines", role: "cluster" }] },
  };
};
