import { forbidden, required } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import type { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import { namedObject } from "../thing/ready-thing.ts";

/** What of a cluster cannot stand beside each other. */
export const clusterCauses = (
  {
    network = {} as NonNullable<LinodeCluster["spec"]["network"]>,
    nodeBalancerFirewallRef,
    vpcID,
    vpcRef,
  }: LinodeCluster["spec"],
  path = "spec",
): readonly Cause[] => {
  const causes: Cause[] = [];
  const both = (first: string, second: string, given: boolean): void => {
    if (given) causes.push(forbidden(`${path}.${second}`, `may not be set together with ${path}.${first}`));
  };
  const hasVpc = namedObject(vpcRef) !== undefined;
  both("vpcID", "vpcRef", vpcID !== undefined && hasVpc);
  both("network.useVlan", "vpcRef", network.useVlan === true && hasVpc);
  both("network.useVlan", "vpcID", network.useVlan === true && vpcID !== undefined);
  const hasFirewall = namedObject(nodeBalancerFirewallRef) !== undefined;
  const given = network.nodeBalancerFirewallID !== undefined;
  both("network.nodeBalancerFirewallID", "nodeBalancerFirewallRef", given && hasFirewall);
  if (network.loadBalancerType === "dns" && (network.dnsRootDomain ?? "") === "") {
    const why = "network.loadBalancerType is dns: name the zone of the endpoint, for example example.com";
    causes.push(required(`${path}.network.dnsRootDomain`, why));
  }
  return causes;
};
