import type { LinodeCluster } from "../api/linode-cluster.v1alpha2.ts";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import { unsupported } from "../cloud/errors.ts";

/** Throws for what a spec asks for and this provider does not serve, before anything is created. */
export const checkSupported = (_machine: LinodeMachine, infraCluster: LinodeCluster | undefined): void => {
  if (infraCluster?.spec.network?.useVlan === true) {
    throw unsupported("LinodeCluster spec.network.useVlan", "put a VLAN into spec.interfaces of the machines");
  }
};
