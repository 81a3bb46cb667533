import type { KubeObject } from "@capstan/schema";
import type { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import { unsupported } from "../cloud/errors.ts";

/** Throws for what a spec asks for and this provider does not serve, before anything is created. */
export const checkSupported = ({ spec }: LinodeMachine, infraCluster: KubeObject | undefined): void => {
  if (spec.vpcRef !== undefined) throw unsupported("spec.vpcRef", "name an existing VPC in spec.vpcID");
  if (spec.firewallRef !== undefined) {
    throw unsupported("spec.firewallRef", "name an existing firewall in spec.firewallID");
  }
  if (spec.placementGroupRef !== undefined) throw unsupported("spec.placementGroupRef", "leave it out");
  const network = clusterSpec(infraCluster)?.network;
  if (network?.useVlan === true) {
    throw unsupported("LinodeCluster spec.network.useVlan", "put a VLAN into spec.interfaces of the machines");
  }
};

/** The spec of the LinodeCluster, if there is one. */
export const clusterSpec = (infraCluster: KubeObject | undefined): LinodeCluster["spec"] | undefined =>
  (infraCluster as LinodeCluster | undefined)?.spec;
