import { required } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import type { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import { namedObject } from "../resource/ready-resource.ts";
import { exclusions } from "./exclusions.ts";

/** Returns the combinations in a cluster's spec that are not allowed. */
export const clusterCauses = (
  {
    network = {} as NonNullable<LinodeCluster["spec"]["network"]>,
    nodeBalancerFirewallRef,
    vpcID,
    vpcRef,
  }: LinodeCluster["spec"],
  path = "spec",
): readonly Cause[] => {
  const hasVpc = namedObject(vpcRef) !== undefined;
  const hasFirewall = namedObject(nodeBalancerFirewallRef) !== undefined;
  const inVlan = network.useVlan === true;
  const causes = exclusions(path, [
    ["vpcID", "vpcRef", vpcID !== undefined && hasVpc],
    ["network.useVlan", "vpcRef", inVlan && hasVpc],
    ["network.useVlan", "vpcID", inVlan && vpcID !== undefined],
    [
      "network.nodeBalancerFirewallID",
      "nodeBalancerFirewallRef",
      network.nodeBalancerFirewallID !== undefined && hasFirewall,
    ],
  ]);
  if (network.loadBalancerType !== "dns" || (network.dnsRootDomain ?? "") !== "") return causes;
  const why = "network.loadBalancerType is dns: name the zone of the endpoint, for example example.com";
  return [...causes, required(`${path}.network.dnsRootDomain`, why)];
};
