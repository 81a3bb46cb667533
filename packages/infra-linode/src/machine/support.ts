import type { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import { unsupported } from "../cloud/errors.ts";

/** Throws for what a spec asks for and this provider does not serve, before anything is created. */
export const checkSupported = ({ spec }: LinodeMachine, infraCluster: LinodeCluster | undefined): void => {
  if (spec.vpcRef !== undefined) throw unsupported("spec.vpcRef", "name an existing VPC in spec.vpcID");
  if (spec.firewallRef !== undefined) {
    throw unsupported("spec.firewallRef", "name an existing firewall in spec.firewallID");
  }
  if (spec.placementGroupRef !== undefined) throw unsupported("spec.placementGroupRef", "leave it out");
  if (infraCluster?.spec.network?.useVlan === true) {
    throw unsupported("LinodeCluster spec.network.useVlan", "put a VLAN into spec.interfaces of the machines");
  }
};
