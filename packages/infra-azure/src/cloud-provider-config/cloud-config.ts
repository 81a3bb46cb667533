import { presentFields } from "@capstan/kube-values";
import type { ClusterPlace } from "../cluster/place.ts";
import { cloudConfigOverrides } from "./overrides.ts";

/** As what the cloud provider in the cluster acts at Azure. */
export type CloudAccess =
  /** Credentials of the AzureClusterIdentity; the secret is empty if it has none. */
  | { readonly type: "Client"; readonly clientId: string; readonly clientSecret: string }
  | { readonly type: "SystemAssigned" }
  | { readonly type: "UserAssigned"; readonly clientId: string };

export interface CloudConfigFacts {
  readonly place: ClusterPlace;
  readonly tenantId: string;
  readonly access: CloudAccess;
  /** Where an Azure Stack Hub is: the cloud provider asks it for the rest. */
  readonly stackEndpoint?: string | undefined;
}

const maxRules = 250;

const accessFields = (access: CloudAccess) => {
  const client = access.type === "Client" ? access : { clientId: "", clientSecret: "" };
  return {
    aadClientId: client.clientId,
    aadClientSecret: client.clientSecret,
    useManagedIdentityExtension: access.type !== "Client",
    userAssignedIdentityID: access.type === "UserAssigned" ? access.clientId : "",
  };
};

/** The configuration of the cloud provider in a cluster, `azure.json`: where the cluster is, and as whom it acts. */
export const cloudConfig = ({ access, place, stackEndpoint, tenantId }: CloudConfigFacts): string => {
  const { cloudProviderConfigOverrides, extendedLocation, location, networkSpec, resourceGroup } = place.spec;
  const { nodeOutboundLB, subnets, vnet } = networkSpec;
  const subnet = subnets.find(({ role }) => role === "node" || role === "cluster");
  const config = presentFields({
    cloud: place.spec.azureEnvironment,
    resourceManagerEndpoint: stackEndpoint,
    tenantId,
    subscriptionId: place.subscription,
    ...accessFields(access),
    resourceGroup,
    securityGroupName: subnet?.securityGroup.name ?? "",
    securityGroupResourceGroup: vnet.resourceGroup,
    location,
    extendedLocationType: extendedLocation?.type,
    extendedLocationName: extendedLocation?.name,
    vmType: "vmss",
    vnetName: vnet.name,
    vnetResourceGroup: vnet.resourceGroup,
    subnetName: subnet?.name ?? "",
    routeTableName: subnet?.routeTable?.name ?? "",
    loadBalancerSku: "Standard",
    loadBalancerName: nodeOutboundLB?.name ?? "",
    maximumLoadBalancerRuleCount: maxRules,
    useInstanceMetadata: true,
    enableVmssFlexNodes: true,
    ...cloudConfigOverrides(cloudProviderConfigOverrides),
  });
  return JSON.stringify(config, undefined, 4);
};
